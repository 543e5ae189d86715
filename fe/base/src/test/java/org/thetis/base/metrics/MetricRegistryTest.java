// SPDX-License-Identifier: Apache-2.0
package org.thetis.base.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class MetricRegistryTest {
    @Test
    void writesPrometheusText() {
        MetricRegistry registry = new MetricRegistry();
        registry.counter("query_total", "Queries.").add(3);
        registry.counter("txn_counter", "Transactions.", "type", "begin").increment();
        registry.counter("txn_counter", "Transactions.", "type", "a\"b").increment();
        registry.gauge("connection_total", "Connections.", () -> 2.5);
        registry.histogram("latency_ms", "Latency.").record(7);
        assertThat(registry.toPrometheusText())
                .contains(
                        "# HELP doris_fe_query_total Queries.\n# TYPE doris_fe_query_total counter\ndoris_fe_query_total 3\n")
                .contains("doris_fe_txn_counter{type=\"begin\"} 1\n")
                .contains("doris_fe_txn_counter{type=\"a\\\"b\"} 1\n")
                .contains("doris_fe_connection_total 2.5\n")
                .contains(
                        "# TYPE doris_fe_latency_ms summary\ndoris_fe_latency_ms{quantile=\"0.5\"} 7\n",
                        "doris_fe_latency_ms{quantile=\"0.99\"} 7\n",
                        "doris_fe_latency_ms_sum 7\n",
                        "doris_fe_latency_ms_count 1\n");
        assertThat(registry.samples())
                .contains(
                        new MetricRegistry.Sample(
                                "doris_fe_txn_counter", "counter", "type=\"begin\"", 1, "Transactions."),
                        new MetricRegistry.Sample("doris_fe_latency_ms_count", "summary", "", 1, "Latency."));
        assertThat(registry.counter("query_total", "Queries.").value()).isEqualTo(3);
        assertThatThrownBy(() -> registry.histogram("query_total", "x")).hasMessageContaining("is a counter");
    }

    @Test
    void quantilesAreWithinABucket() {
        Histogram histogram = new Histogram();
        for (int i = 1; i <= 10_000; i++) {
            histogram.record(i);
        }
        assertThat((double) histogram.quantile(0.5)).isBetween(5000.0, 6250.0);
        assertThat((double) histogram.quantile(0.99)).isBetween(9900.0, 12_400.0);
        assertThat(new Histogram().quantile(0.5)).isZero();
        for (long value : new long[] {0, 1, 3, 4, 5, 7, 8, 100, 1L << 40, Long.MAX_VALUE}) {
            int bucket = Histogram.bucketOf(value);
            assertThat(Histogram.upperBound(bucket)).as("value %s", value).isGreaterThanOrEqualTo(value);
        }
    }
}
