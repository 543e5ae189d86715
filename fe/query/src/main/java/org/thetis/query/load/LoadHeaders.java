// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.load;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;

/** The headers of a stream load with their defaults and checks; names are lower-case. */
public record LoadHeaders(Map<String, String> values) {
    private static final List<String> UNSUPPORTED = List.of("temporary_partitions");

    public LoadHeaders {
        values = Map.copyOf(values);
    }

    public Optional<String> find(String name) {
        return Optional.ofNullable(values.get(name)).filter(value -> !value.isEmpty());
    }

    public String get(String name, String otherwise) {
        return find(name).orElse(otherwise);
    }

    /** true or false in any case; anything else fails. */
    public boolean flag(String name) {
        String value = get(name, "false").toLowerCase(Locale.ROOT);
        if (!value.equals("true") && !value.equals("false")) {
            throw new ThetisException(
                    ErrorCode.INVALID_ARGUMENT, "Invalid " + name + " format: " + value + ". Must be true or false");
        }
        return value.equals("true");
    }

    public double maxFilterRatio() {
        double ratio = number("max_filter_ratio", 0);
        if (ratio < 0 || ratio > 1) {
            throw new ThetisException(
                    ErrorCode.INVALID_ARGUMENT, "max_filter_ratio must be between 0 and 1, not " + ratio);
        }
        return ratio;
    }

    /** Seconds the load may take, within the server's limits. */
    public int timeoutSeconds(int otherwise, int max) {
        double seconds = number("timeout", otherwise);
        if (seconds < 1 || seconds > max) {
            throw new ThetisException(
                    ErrorCode.INVALID_ARGUMENT,
                    "Invalid timeout: " + get("timeout", "") + ". Timeout should between 1 and " + max + " seconds");
        }
        return (int) seconds;
    }

    public long execMemLimit() {
        return (long) number("exec_mem_limit", 2L << 30);
    }

    public boolean twoPhase() {
        return get("two_phase_commit", "false").equalsIgnoreCase("true");
    }

    /** A comma list, trimmed. */
    public List<String> list(String name) {
        return find(name).stream()
                .flatMap(text -> Arrays.stream(text.split(",")))
                .map(String::strip)
                .filter(part -> !part.isEmpty())
                .toList();
    }

    /** Fails for headers whose meaning cannot be given yet, by name. */
    public void refuseUnsupported() {
        for (String name : UNSUPPORTED) {
            if (find(name).isPresent()) {
                throw ThetisException.notSupported("stream load header " + name);
            }
        }
        if (flag("negative")) {
            throw ThetisException.notSupported("stream load header negative");
        }
    }

    private double number(String name, double otherwise) {
        Optional<String> text = find(name);
        if (text.isEmpty()) {
            return otherwise;
        }
        try {
            return Double.parseDouble(text.get());
        } catch (NumberFormatException notANumber) {
            throw new ThetisException(
                    ErrorCode.INVALID_ARGUMENT, "Invalid " + name + " format: " + text.get(), notANumber);
        }
    }
}
