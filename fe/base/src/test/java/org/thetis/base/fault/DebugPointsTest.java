// SPDX-License-Identifier: Apache-2.0
package org.thetis.base.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.thetis.base.config.Config;
import org.thetis.base.config.DebugSettings;
import org.thetis.base.thread.ManualClock;

class DebugPointsTest {
    private final ManualClock clock = new ManualClock(1000);

    private DebugPoints points(boolean enabled) {
        return new DebugPoints(
                new DebugSettings(Config.defaults(Map.of("enable_debug_points", String.valueOf(enabled)))), clock);
    }

    @Test
    void offUnlessEnabled() {
        assertThatThrownBy(() -> points(false).add("x", Map.of(), 1, 0)).hasMessageContaining("enable_debug_points");
        assertThat(points(true).hit("x")).isEmpty();
    }

    @Test
    void endAfterTheirCountOrTime() {
        DebugPoints points = points(true);
        points.add("twice", Map.of("k", "v"), 2, 0);
        assertThat(points.hit("twice")).contains(Map.of("k", "v"));
        assertThat(points.hit("twice")).isPresent();
        assertThat(points.hit("twice")).isEmpty();
        points.add("short", Map.of(), -1, 500);
        assertThatThrownBy(() -> points.failIfOn("short")).hasMessage("debug point short");
        clock.advance(Duration.ofMillis(501));
        assertThat(points.hit("short")).isEmpty();
        assertThat(points.names()).isEmpty();
    }
}
