// SPDX-License-Identifier: Apache-2.0
package org.thetis.base.fault;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.thetis.base.config.DebugSettings;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.base.thread.Clock;

/**
 * Named faults that tests switch on while the process runs. Nothing can be switched on unless `enable_debug_points` is set. A
 * point ends after its number of executions or its time, whichever comes first. Safe for use from any thread.
 */
public final class DebugPoints {
    /** What a shell says of a process that kill -9 ended. */
    private static final int KILLED = 137;

    private final DebugSettings settings;
    private final Clock clock;
    private final ConcurrentHashMap<String, Point> points = new ConcurrentHashMap<>();

    private record Point(Map<String, String> parameters, AtomicInteger remaining, long endMillis) {}

    public DebugPoints(DebugSettings settings, Clock clock) {
        this.settings = settings;
        this.clock = clock;
    }

    /** Switches a point on; `executions` and `timeoutMillis` below 1 mean without limit. */
    public void add(String name, Map<String, String> parameters, int executions, long timeoutMillis) {
        if (!settings.enableDebugPoints()) {
            throw new ThetisException(
                    ErrorCode.INVALID_ARGUMENT, "Disable debug points. please check config 'enable_debug_points'");
        }
        long end = timeoutMillis > 0 ? clock.millis() + timeoutMillis : Long.MAX_VALUE;
        points.put(
                name,
                new Point(
                        Map.copyOf(parameters),
                        new AtomicInteger(executions > 0 ? executions : Integer.MAX_VALUE),
                        end));
    }

    public void remove(String name) {
        points.remove(name);
    }

    public void clear() {
        points.clear();
    }

    public List<String> names() {
        return points.keySet().stream().sorted().toList();
    }

    /** Counts one execution of the point: its parameters if it is on, else empty. Costs one map look-up when nothing is on. */
    public Optional<Map<String, String>> hit(String name) {
        if (points.isEmpty()) {
            return Optional.empty();
        }
        @Nullable Point point = points.get(name);
        if (point == null || !settings.enableDebugPoints()) {
            return Optional.empty();
        }
        if (clock.millis() > point.endMillis || point.remaining.getAndDecrement() <= 0) {
            points.remove(name, point);
            return Optional.empty();
        }
        return Optional.of(point.parameters);
    }

    /**
     * Does what the parameter `action` of the point says when it is on: `kill` ends the process at once, as kill -9 would; `fail`
     * fails with INTERNAL, naming the point; anything else, and nothing, does nothing. A point with the parameter `of` is for that
     * subject alone.
     */
    public void reach(String name, String subject) {
        @Nullable Point point = points.isEmpty() ? null : points.get(name);
        if (point == null || !point.parameters.getOrDefault("of", subject).equals(subject)) {
            return;
        }
        switch (hit(name)
                .map(parameters -> parameters.getOrDefault("action", ""))
                .orElse("")) {
            case "kill" -> Runtime.getRuntime().halt(KILLED);
            case "fail" -> throw failure(name);
            default -> {}
        }
    }

    /** Fails with INTERNAL, naming the point, when it is on. */
    public void failIfOn(String name) {
        if (hit(name).isPresent()) {
            throw failure(name);
        }
    }

    private static ThetisException failure(String name) {
        return new ThetisException(ErrorCode.INTERNAL, "debug point " + name);
    }
}
