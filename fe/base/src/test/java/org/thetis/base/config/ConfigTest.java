// SPDX-License-Identifier: Apache-2.0
package org.thetis.base.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it.
    Path directory;

    private Config load(String text) throws IOException {
        Path file = Files.writeString(directory.resolve("fe.conf"), text);
        return Config.load(file, Map.of("THETIS_HOME", directory.toString(), "PORT", "9131"));
    }

    @Test
    void valuesOverlayDefaultsAndExpandTheEnvironment() throws IOException {
        Config config = load(
                """
                # comment
                query_port = ${PORT}
                meta_dir=${DORIS_HOME}/meta
                JAVA_OPTS = "-Xmx2g"
                """);
        assertThat(new MysqlSettings(config).queryPort()).isEqualTo(9131);
        assertThat(new JournalSettings(config).metaDir()).isEqualTo(directory + "/meta");
        assertThat(new HttpSettings(config).httpPort()).isEqualTo(8030);
        assertThat(config.warnings()).isEmpty();
    }

    @Test
    void unknownKeyIsAWarningThatNamesTheNearest() throws IOException {
        Config config = load("qurey_port = 1\nzzz_nothing_like_it = 1\n");
        assertThat(config.warnings())
                .containsExactly(
                        "Unknown configuration key in fe.conf: qurey_port, did you mean 'query_port'?",
                        "Unknown configuration key in fe.conf: zzz_nothing_like_it");
    }

    @Test
    void acceptedKeysAreShownWithoutEffect() throws IOException {
        Config config = load("arrow_flight_sql_port = 9090\n");
        assertThat(config.warnings()).isEmpty();
        assertThat(config.find("arrow_flight_sql_port")).contains("9090");
    }

    @Test
    void wrongValuesStopTheStart() {
        assertThatThrownBy(() -> load("query_port = many"))
                .hasMessageContaining("fe.conf: configuration key query_port must be a number");
        assertThatThrownBy(() -> load("query_port = 70000")).hasMessageContaining("at most 65535: '70000'");
        assertThatThrownBy(() -> load("enable_debug_points = yes")).hasMessageContaining("true or false");
        assertThatThrownBy(() -> load("no equals sign")).hasMessageContaining("line 1 is not of the form key = value");
    }

    @Test
    void changesAtRunTimeAreCheckedAndCanLast() throws IOException {
        Config config = load("");
        QuerySettings settings = new QuerySettings(config);
        config.set("max_query_retry_time", "7", true);
        assertThat(settings.maxQueryRetryTime()).isEqualTo(7);
        assertThatThrownBy(() -> config.set("query_port", "1", false)).hasMessageContaining("not mutable");
        assertThatThrownBy(() -> config.set("max_query_retry_time", "-1", false))
                .hasMessageContaining("at least 0");
        assertThatThrownBy(() -> config.set("max_query_retry_tme", "1", false))
                .hasMessageContaining("did you mean 'max_query_retry_time'?");
        config.set("max_query_retry_time", "8", true);
        assertThat(Files.readString(directory.resolve("conf/fe_custom.conf"))).isEqualTo("max_query_retry_time = 8\n");
        assertThat(new QuerySettings(load("max_query_retry_time = 2")).maxQueryRetryTime())
                .isEqualTo(8);
    }
}
