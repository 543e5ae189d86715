// SPDX-License-Identifier: Apache-2.0
package org.thetis.base.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.DoubleSupplier;

/**
 * All metrics of the process by name and labels, written as Prometheus text. Names carry the prefix existing dashboards know
 * (`doris_fe_`), which callers leave out. Asking twice for the same metric gives the same object. Safe for use from any thread.
 */
public final class MetricRegistry {
    private static final String PREFIX = "doris_fe_";

    private final ConcurrentSkipListMap<String, Family> families = new ConcurrentSkipListMap<>();

    private record Family(String type, String help, ConcurrentHashMap<String, Object> series) {}

    /** A counter; labels are name, value pairs. */
    public Counter counter(String name, String help, String... labels) {
        return (Counter) family(name, "counter", help).series.computeIfAbsent(labelText(labels), key -> new Counter());
    }

    public Histogram histogram(String name, String help, String... labels) {
        return (Histogram)
                family(name, "summary", help).series.computeIfAbsent(labelText(labels), key -> new Histogram());
    }

    /** A number read when metrics are shown; a later registration of the same name and labels replaces the earlier. */
    public void gauge(String name, String help, DoubleSupplier value, String... labels) {
        family(name, "gauge", help).series.put(labelText(labels), value);
    }

    private Family family(String name, String type, String help) {
        Family family = families.computeIfAbsent(name, key -> new Family(type, help, new ConcurrentHashMap<>()));
        if (!family.type.equals(type)) {
            throw new IllegalArgumentException("metric " + name + " is a " + family.type);
        }
        return family;
    }

    /** Everything in the Prometheus text format. */
    public String toPrometheusText() {
        StringBuilder text = new StringBuilder();
        for (Map.Entry<String, Family> entry : families.entrySet()) {
            String name = PREFIX + entry.getKey();
            Family family = entry.getValue();
            text.append("# HELP ").append(name).append(' ').append(family.help).append('\n');
            text.append("# TYPE ").append(name).append(' ').append(family.type).append('\n');
            new TreeMap<>(family.series).forEach((labels, metric) -> writeSeries(text, name, labels, metric));
        }
        return text.toString();
    }

    private static void writeSeries(StringBuilder text, String name, String labels, Object metric) {
        if (metric instanceof Counter counter) {
            writeLine(text, name, labels, Long.toString(counter.value()));
        } else if (metric instanceof DoubleSupplier gauge) {
            writeLine(text, name, labels, number(gauge.getAsDouble()));
        } else if (metric instanceof Histogram histogram) {
            for (String quantile : List.of("0.75", "0.95", "0.98", "0.99", "0.999")) {
                String all = join(labels, "quantile=\"" + quantile + "\"");
                writeLine(text, name, all, Long.toString(histogram.quantile(Double.parseDouble(quantile))));
            }
            writeLine(text, name + "_sum", labels, Long.toString(histogram.sum()));
            writeLine(text, name + "_count", labels, Long.toString(histogram.count()));
        }
    }

    private static void writeLine(StringBuilder text, String name, String labels, String value) {
        text.append(name);
        if (!labels.isEmpty()) {
            text.append('{').append(labels).append('}');
        }
        text.append(' ').append(value).append('\n');
    }

    private static String join(String first, String second) {
        return first.isEmpty() ? second : first + "," + second;
    }

    private static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }

    private static String labelText(String... labels) {
        if (labels.length % 2 != 0) {
            throw new IllegalArgumentException("labels come in pairs");
        }
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < labels.length; i += 2) {
            String value =
                    labels[i + 1].replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
            parts.add(labels[i] + "=\"" + value + "\"");
        }
        return String.join(",", parts);
    }
}
