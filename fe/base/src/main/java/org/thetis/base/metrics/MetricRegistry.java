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
    private static final List<String> QUANTILES = List.of("0.5", "0.75", "0.95", "0.98", "0.99", "0.999");

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

    /**
     * One number, as a line of the page of metrics has it.
     *
     * @param labels as Prometheus writes them: `type="begin"`; may be empty
     */
    public record Sample(String name, String type, String labels, double value, String help) {}

    /** Everything, by name and labels; a summary is its quantiles, sum and count. */
    public List<Sample> samples() {
        List<Sample> samples = new ArrayList<>();
        for (Map.Entry<String, Family> entry : families.entrySet()) {
            String name = PREFIX + entry.getKey();
            Family family = entry.getValue();
            new TreeMap<>(family.series).forEach((labels, metric) -> {
                if (metric instanceof Histogram histogram) {
                    for (String quantile : QUANTILES) {
                        String all = join(labels, "quantile=\"" + quantile + "\"");
                        long value = histogram.quantile(Double.parseDouble(quantile));
                        samples.add(new Sample(name, family.type, all, value, family.help));
                    }
                    samples.add(new Sample(name + "_sum", family.type, labels, histogram.sum(), family.help));
                    samples.add(new Sample(name + "_count", family.type, labels, histogram.count(), family.help));
                } else {
                    double value = metric instanceof Counter counter
                            ? counter.value()
                            : ((DoubleSupplier) metric).getAsDouble();
                    samples.add(new Sample(name, family.type, labels, value, family.help));
                }
            });
        }
        return samples;
    }

    /** Everything in the Prometheus text format. */
    public String toPrometheusText() {
        StringBuilder text = new StringBuilder();
        String family = "";
        for (Sample sample : samples()) {
            boolean isSummary = sample.type.equals("summary");
            String name = isSummary ? sample.name.replaceFirst("_(sum|count)$", "") : sample.name;
            if (!name.equals(family)) {
                family = name;
                text.append("# HELP ")
                        .append(name)
                        .append(' ')
                        .append(sample.help)
                        .append('\n');
                text.append("# TYPE ")
                        .append(name)
                        .append(' ')
                        .append(sample.type)
                        .append('\n');
            }
            text.append(sample.name);
            if (!sample.labels.isEmpty()) {
                text.append('{').append(sample.labels).append('}');
            }
            text.append(' ').append(number(sample.value)).append('\n');
        }
        return text.toString();
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
