// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.lower;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.thetis.wire.ThriftCodec;
import org.thetis.wire.thrift.ExecPlan;
import org.thetis.wire.thrift.NetworkAddress;
import org.thetis.wire.thrift.PlanNode;
import org.thetis.wire.thrift.QueryOptions;
import org.thetis.wire.thrift.UniqueId;

/** All TPC-H queries on one and on three back ends: they plan, survive the wire, and stay small. */
class TpchTest {
    private static final Path DATA = Path.of("../../regression-test/data/tpch");

    /** The eight tables at scale factor 1. */
    static TestCluster tpch(int backends) throws IOException {
        TestCluster cluster = new TestCluster(backends);
        String schema = Files.readString(DATA.resolve("schema.sql")).replaceAll("--[^\n]*", "");
        List<Long> rows = List.of(5L, 25L, 10_000L, 200_000L, 800_000L, 150_000L, 1_500_000L, 6_000_000L);
        int next = 0;
        for (String statement : schema.split(";")) {
            int open = statement.indexOf('(');
            if (open < 0) {
                continue;
            }
            String name = statement.substring(0, open).strip().replaceAll(".*\\s", "");
            String columns = statement
                    .substring(open + 1, statement.indexOf(") DUPLICATE"))
                    .replace('\n', ' ')
                    .strip();
            cluster.table(name, columns, 3, rows.get(next++));
        }
        return cluster;
    }

    static List<String> statements(int query) throws IOException {
        List<String> statements = new ArrayList<>();
        for (String statement : Files.readString(DATA.resolve(String.format("queries/q%02d.sql", query)))
                .split(";")) {
            if (!statement.replaceAll("--[^\n]*", "").isBlank()) {
                statements.add(statement);
            }
        }
        return statements;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22})
    void plans(int query) throws IOException {
        for (int backends : new int[] {1, 3}) {
            TestCluster cluster = tpch(backends);
            for (String sql : statements(query)) {
                PlannedQuery planned = cluster.plan(sql);
                List<BackendPlan> plans = planned.backendPlans(false);
                if (System.getenv("SHOW_PLANS") != null) {
                    System.out.println("=== Q" + query + " on " + backends);
                    planned.explain(ExplainMode.SHAPE).forEach(System.out::println);
                    planned.explain(ExplainMode.FRAGMENTS).forEach(System.out::println);
                }
                assertThat(plans).hasSize(backends);
                assertThat(planned.rootBackendId()).isEqualTo(1);
                if (backends == 1) {
                    assertThat(plans.get(0).fragments()).hasSize(1);
                }
                for (BackendPlan plan : plans) {
                    ExecPlan sent = plan.toExecPlan(new UniqueId(1, 2), 3, new NetworkAddress("fe", 9020), options());
                    byte[] bytes = ThriftCodec.write(sent);
                    assertThat(bytes.length).as("plan size").isLessThan(20_000);
                    assertThat(ThriftCodec.read(bytes, new ExecPlan())).isEqualTo(sent);
                    plan.fragments().forEach(fragment -> checkWidths(fragment.getRoot()));
                }
            }
        }
    }

    static QueryOptions options() {
        QueryOptions options = new QueryOptions();
        options.setMem_limit_bytes(1L << 30);
        options.setTimeout_ms(1000);
        options.setTime_zone("UTC");
        options.setNow_micros(0);
        options.setBatch_size(4096);
        options.setParallel_tasks(0);
        return options;
    }

    private static void checkWidths(PlanNode node) {
        if (node.getOp().isSetProject()) {
            assertThat(node.getOp().getProject().getExpressions()).hasSameSizeAs(node.getOutput_types());
        }
        if (node.getOp().isSetTablet_scan()) {
            assertThat(node.getOp().getTablet_scan().getColumn_unique_ids()).hasSameSizeAs(node.getOutput_types());
        }
        if (node.getChildren() != null) {
            node.getChildren().forEach(TpchTest::checkWidths);
        }
    }

    @Test
    void noProductsInTheTextbookJoins() throws IOException {
        for (int query : new int[] {2, 3, 5, 7, 8, 9, 10, 12, 14, 18, 19, 21}) {
            String shape = tpch(1).shape(statements(query).get(0));
            assertThat(shape).as("Q" + query).doesNotContain("CROSS_JOIN").contains("hashJoin");
        }
    }

    @Test
    void warmPlanningIsFast() throws IOException {
        TestCluster cluster = tpch(1);
        String sql = "SELECT l_returnflag, sum(l_quantity) FROM lineitem WHERE l_shipdate <= DATE '1998-09-02' GROUP BY"
                + " l_returnflag";
        for (int i = 0; i < 2000; i++) {
            cluster.plan(sql).backendPlans(false);
        }
        long begin = System.nanoTime();
        for (int i = 0; i < 500; i++) {
            cluster.plan(sql).backendPlans(false);
        }
        System.out.printf(
                "parse, plan and lower a simple aggregate: %.3f ms%n", (System.nanoTime() - begin) / 500.0 / 1e6);
        int bytes = ThriftCodec.write(cluster.plan(statements(5).get(0))
                        .backendPlans(false)
                        .get(0)
                        .toExecPlan(new UniqueId(1, 2), 3, new NetworkAddress("fe", 9020), options()))
                .length;
        System.out.println("TPC-H query 5 on the wire: " + bytes + " bytes");
        assertThat(bytes).isLessThan(20_000);
    }
}
