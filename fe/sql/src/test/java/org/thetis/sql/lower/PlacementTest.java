// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.lower;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.plan.BucketHash;
import org.thetis.wire.thrift.ExchangeKind;
import org.thetis.wire.thrift.FragmentInstance;
import org.thetis.wire.thrift.FragmentPlan;
import org.thetis.wire.thrift.LoadProject;
import org.thetis.wire.thrift.TableSink;
import org.thetis.wire.thrift.UniqueId;

/** Which tablets are read, how inputs meet, and what each back end gets. */
class PlacementTest {
    private final TestCluster cluster = new TestCluster(3);
    private final TestCluster single = new TestCluster(1);

    @BeforeEach
    void tables() {
        for (TestCluster each : List.of(cluster, single)) {
            each.table(
                    "fact",
                    "day date not null, id int, amount decimal(10,2)",
                    10,
                    3_000_000,
                    List.of("2024-01-01", "2024-02-01", "2024-03-01"));
            each.table("big", "id bigint not null, other int, name varchar(20)", 6, 1_000_000);
            each.table("bigger", "id bigint not null, other int", 6, 5_000_000);
            each.table("small", "id bigint not null, other int", 6, 60);
        }
    }

    @Test
    void partitionsArePruned() {
        assertThat(single.explain("SELECT sum(amount) FROM fact WHERE day = '2024-01-15'"))
                .contains("partitions=1/3 (p2)");
        assertThat(single.explain("SELECT sum(amount) FROM fact WHERE day >= '2024-01-01' AND day < DATE '2024-01-01' +"
                        + " INTERVAL 1 MONTH"))
                .contains("partitions=1/3 (p2)");
        assertThat(single.explain("SELECT sum(amount) FROM fact WHERE day IN ('2023-05-05', '2024-02-05')"))
                .contains("partitions=2/3 (p1,p3)");
        assertThat(single.explain("SELECT sum(amount) FROM fact WHERE day >= '2024-02-01' OR day < '2023-01-01'"))
                .contains("partitions=2/3 (p1,p3)");
        assertThat(single.explain("SELECT sum(amount) FROM fact WHERE day <> '2024-01-15'"))
                .contains("partitions=3/3 (p1,p2,p3)");
        assertThat(single.explain("SELECT sum(amount) FROM fact WHERE year(day) = 2024"))
                .contains("partitions=3/3");
        assertThat(single.plan("SELECT amount FROM fact WHERE day > '2025-01-01'")
                        .constantRows()
                        .orElseThrow())
                .isEmpty();
        assertThat(single.explain("SELECT amount FROM fact PARTITION (p3)")).contains("partitions=1/3 (p3)");
    }

    @Test
    void bucketsArePruned() {
        assertThat(single.explain("SELECT amount FROM fact WHERE id = 7 AND day = '2024-01-15'"))
                .contains("tablets=1/10");
        assertThat(single.explain("SELECT amount FROM fact WHERE id IN (7, 8) AND day = '2024-01-15'"))
                .containsPattern("tablets=[12]/10");
        assertThat(single.explain("SELECT amount FROM fact WHERE id > 7 AND day = '2024-01-15'"))
                .contains("tablets=10/10");
    }

    @Test
    void bucketHashIsCrc32c() {
        // CRC32C of 01 00 00 00 and of "123456789", computed independently.
        assertThat(BucketHash.bucket(List.of(Literal.string("123456789")), Integer.MAX_VALUE))
                .isEqualTo((int) (0xE3069283L % Integer.MAX_VALUE));
        assertThat(BucketHash.bucket(List.of(Literal.integer(1)), 10)).isBetween(0, 9);
        assertThat(BucketHash.bucket(List.of(Literal.integer(1)), 10)).isNotNegative();
    }

    @Test
    void oneBackEndNeedsNoExchange() {
        assertThat(single.explain(
                        "SELECT b.name, count(*) FROM big b JOIN bigger g ON b.other = g.other GROUP BY b.name"
                                + " ORDER BY 2 LIMIT 3"))
                .contains("PLAN FRAGMENT 0")
                .doesNotContain("PLAN FRAGMENT 1")
                .doesNotContain("EXCHANGE")
                .contains("VAGGREGATE (update finalize)")
                .contains("VTOP-N");
    }

    @Test
    void joinsMeetTheCheapestWay() {
        assertThat(cluster.explain("SELECT g.other FROM bigger g JOIN big b ON g.id = b.id"))
                .contains("INNER JOIN(COLOCATE[])")
                .contains("HAS_COLO_PLAN_NODE: true");
        assertThat(cluster.explain("SELECT g.other FROM bigger g JOIN small s ON g.other = s.other"))
                .contains("INNER JOIN(BROADCAST)[]");
        assertThat(cluster.explain("SELECT g.other FROM bigger g JOIN bigger b ON g.other = b.other"))
                .contains("INNER JOIN(PARTITIONED)[]");
        assertThat(cluster.explain("SELECT g.other FROM bigger g JOIN [shuffle] small s ON g.other = s.other"))
                .contains("(PARTITIONED)");
        assertThat(cluster.explain("SELECT g.id FROM bigger g FULL JOIN small s ON g.other = s.other"))
                .contains("FULL OUTER JOIN(PARTITIONED)");
        assertThat(cluster.explain("SELECT g.id FROM bigger g JOIN (SELECT other + 1 AS k FROM big) b ON g.id = b.k"))
                .contains("(BUCKET_SHUFFLE)");
    }

    @Test
    void aggregatesSplitWhereGroupsAreSpread() {
        assertThat(cluster.explain("SELECT other, sum(id) FROM big GROUP BY other"))
                .contains("VAGGREGATE (update serialize)")
                .contains("VAGGREGATE (merge finalize)")
                .contains("HASH_PARTITIONED: other");
        assertThat(cluster.explain("SELECT id, count(*) FROM big GROUP BY id"))
                .contains("VAGGREGATE (update finalize)")
                .doesNotContain("serialize");
        assertThat(cluster.explain("SELECT count(*) FROM big"))
                .contains("pushAggOp=COUNT")
                .contains("UNPARTITIONED");
    }

    @Test
    void everyBackEndGetsItsTablets() {
        PlannedQuery planned = cluster.plan("SELECT other, sum(id) FROM big GROUP BY other ORDER BY other LIMIT 7");
        List<BackendPlan> plans = planned.backendPlans(true);
        assertThat(plans).hasSize(3);
        int tablets = 0;
        for (BackendPlan plan : plans) {
            for (FragmentInstance instance : plan.instances()) {
                for (var ranges : instance.getScan_ranges().values()) {
                    tablets += ranges.size();
                    assertThat(ranges)
                            .allSatisfy(range -> assertThat(range.getVersion()).isEqualTo(2));
                }
                assertThat(instance.getNum_senders().values()).allMatch(senders -> senders == 3);
            }
        }
        assertThat(tablets).isEqualTo(6);
        assertThat(plans.get(0).fragments()).hasSize(3);
        assertThat(plans.get(1).fragments()).hasSize(2);
        FragmentPlan scanning = plans.get(1).fragments().get(1);
        assertThat(scanning.getSink().getExchange().getKind()).isEqualTo(ExchangeKind.HASH);
        assertThat(plans.get(0).fragments().get(0).getSink().getResult().isBinary_rows())
                .isTrue();
    }

    @Test
    void runtimeFiltersReachTheProbeScan() {
        assertThat(single.explain("SELECT g.id FROM bigger g JOIN small s ON g.other = s.other WHERE s.id = 1"))
                .contains("RF000[in_or_bloom] <- other")
                .contains("RF000[in_or_bloom] -> other");
        assertThat(single.explain("SELECT g.id FROM bigger g LEFT JOIN small s ON g.other = s.other"))
                .doesNotContain("RF000");
    }

    @Test
    void insertsEndInATableSink() {
        LoadTransaction transaction = new LoadTransaction(5, 1, new UniqueId(1, 2), 1000, true, 0);
        PlannedQuery values = cluster.plan("INSERT INTO small (other, id) VALUES (1, 2), (DEFAULT, 3)");
        assertThat(values.insertTarget()).isPresent();
        List<BackendPlan> plans = values.backendPlans(transaction);
        assertThat(plans).hasSize(1);
        TableSink sink = plans.get(0).fragments().get(0).getSink().getTable();
        assertThat(sink.getTxn_id()).isEqualTo(5);
        assertThat(sink.getPartitions().getPartitions().get(0).getTablets()).hasSize(6);
        assertThat(sink.getPartitions().getDistribution_columns()).containsExactly(0);
        assertThat(plans.get(0).fragments().get(0).getRoot().getOp().getValues().getNum_rows())
                .isEqualTo(2);
        PlannedQuery select = cluster.plan("INSERT INTO small SELECT id, other FROM big");
        assertThat(select.backendPlans(transaction)).hasSize(3);
        assertThatThrownBy(() -> select.backendPlans(false)).isInstanceOf(ThetisException.class);
    }

    @Test
    void manyRowsArePlannedInLinearTime() {
        StringBuilder sql = new StringBuilder("INSERT INTO small VALUES (0, 0)");
        for (int i = 1; i < 20_000; i++) {
            sql.append(", (").append(i).append(", ").append(i % 7).append(')');
        }
        PlannedQuery planned = cluster.plan(sql.toString());
        var rows = planned.backendPlans(new LoadTransaction(5, 1, new UniqueId(1, 2), 1000, true, 0))
                .get(0)
                .fragments()
                .get(0)
                .getRoot();
        assertThat(rows.getOp().getValues().getNum_rows()).isEqualTo(20_000);
    }

    private FragmentPlan load(String table, Map<String, String> headers) {
        var target = (org.thetis.sql.binder.ResolvedTable.Stored)
                cluster.find("internal", "db", table).orElseThrow();
        LoadPlanner planner = new LoadPlanner(
                new org.thetis.sql.functions.FunctionResolver(org.thetis.sql.functions.FunctionCatalog.load()));
        return planner.plan(
                "db",
                target.table(),
                headers,
                cluster.context(),
                new LoadTransaction(5, 1, new UniqueId(1, 2), 1000, true, 0.1));
    }

    @Test
    void streamLoadsMapColumns() {
        FragmentPlan plain = load("big", Map.of("column_separator", ","));
        assertThat(plain.getRoot().getChildren().get(0).getOp().getStream_scan().getSource_columns())
                .containsExactly("id", "other", "name");
        LoadProject project = plain.getRoot().getOp().getLoad_project();
        assertThat(project.getSource_of()).containsExactly(0, 1, 2);
        assertThat(project.getExpressions().get(0).getNode().isSetCast()).isTrue();
        assertThat(project.getExpressions().get(2).getNode().isSetSlot()).isTrue();

        FragmentPlan mapped = load(
                "big",
                Map.of(
                        "columns",
                        "name, `tmp`, half = tmp / 2, id = cast(half as bigint) + 1",
                        "where",
                        "id > 5 AND name <> 'a,b'",
                        "format",
                        "JSON",
                        "strip_outer_array",
                        "TRUE",
                        "jsonpaths",
                        "[\"$.a\"]"));
        project = mapped.getRoot().getOp().getLoad_project();
        assertThat(project.getTemporaries()).hasSize(1);
        assertThat(project.getSource_of()).containsExactly(-1, -1, 0);
        assertThat(project.isSetWhere()).isTrue();
        assertThat(mapped.getRoot()
                        .getChildren()
                        .get(0)
                        .getOp()
                        .getStream_scan()
                        .getProperties())
                .containsEntry("strip_outer_array", "true");
        assertThat(mapped.getSink().getTable().getMax_filter_ratio()).isEqualTo(0.1);
    }

    @Test
    void wrongMappingsAreRefused() {
        assertThatThrownBy(() -> load("big", Map.of("columns", "name, name"))).hasMessageContaining("twice");
        assertThatThrownBy(() -> load("big", Map.of("columns", "id, other = nothing + 1")))
                .hasMessageContaining("nothing");
        assertThatThrownBy(() -> load("big", Map.of("columns", "other")))
                .isInstanceOfSatisfying(ThetisException.class, failure -> assertThat(failure.code())
                        .isEqualTo(ErrorCode.NO_DEFAULT_FOR_FIELD));
        assertThatThrownBy(() -> load("big", Map.of("columns", "id, x y"))).hasMessageContaining("malformed");
        assertThatThrownBy(() -> load("fact", Map.of("partitions", "p9"))).hasMessageContaining("p9");
    }

    @Test
    void explainSpeaksTheWordsToolsLookFor() {
        String text = cluster.explain("SELECT other FROM big WHERE name = 'a' ORDER BY id LIMIT 2");
        assertThat(text)
                .contains(
                        "PLAN FRAGMENT 0",
                        "OUTPUT EXPRS:",
                        "PARTITION: UNPARTITIONED",
                        "VRESULT SINK",
                        "MYSQL_PROTOCAL",
                        "STREAM DATA SINK",
                        "EXCHANGE ID:",
                        "VMERGING-EXCHANGE",
                        "VTOP-N",
                        "VOlapScanNode(0)",
                        "TABLE: db.big(big)",
                        "PREDICATES: (name = 'a')",
                        "partitions=1/1 (big)",
                        "tablets=6/6, tabletList=");
        assertThat(String.join(
                        "\n", cluster.plan("SELECT id FROM big WHERE other = 1").explain(ExplainMode.ALL)))
                .contains("LogicalFilter", "LogicalOlapScan", "PhysicalOlapScan");
    }
}
