// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.lower;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.thetis.catalog.schema.KeysModel;
import org.thetis.catalog.type.DataType;
import org.thetis.sql.ast.Statement;
import org.thetis.sql.binder.BoundQueries;
import org.thetis.sql.binder.ResolvedTable;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.parser.SqlParser;

/** Trees that come again: what is planned from a remembered binding, and what makes it be bound anew. */
class BoundQueriesTest {
    private final TestCluster cluster = new TestCluster(2);
    private final BoundQueries bound = cluster.planner().boundQueries();

    BoundQueriesTest() {
        cluster.table("t", "a int, b varchar(20)", 2, 100);
        cluster.table("u", "a int, c int", 2, 100);
    }

    private String explain(Statement tree) {
        return String.join("\n", cluster.planner().plan(tree, cluster.context()).explain(ExplainMode.FRAGMENTS));
    }

    /** Plans a tree until its binding is remembered if it ever is. */
    private Statement known(String sql) {
        Statement tree = new SqlParser().parse(sql);
        explain(tree);
        explain(tree);
        return tree;
    }

    /** The plan of a tree, which must be that of a tree nobody has seen. */
    private String plan(Statement tree, String sql) {
        String plan = explain(tree);
        assertThat(plan).isEqualTo(explain(new SqlParser().parse(sql)));
        return plan;
    }

    @Test
    void theThirdTimeNothingIsBound() {
        String sql =
                "select t.a, count(*) from t join u on t.a = u.a where b like 'x%' group by t.a order by 2 limit 3";
        Statement tree = known(sql);
        assertThat(bound.hits()).isZero();
        plan(tree, sql);
        assertThat(bound.hits()).isEqualTo(1);
    }

    @Test
    void aChangedTableIsBoundAnew() {
        String sql = "select * from t";
        Statement tree = known(sql);
        plan(tree, sql);
        cluster.table("t", "a int, b varchar(20), added int", 2, 100);
        assertThat(plan(tree, sql)).contains("added");
        assertThat(bound.hits()).isEqualTo(1);
        plan(tree, sql);
        assertThat(bound.hits()).isEqualTo(2);
    }

    @Test
    void viewsAreFollowed() {
        Statement table = known("select * from t");
        cluster.view("v", "select a from t");
        String sql = "select * from v";
        Statement overView = known(sql);
        plan(overView, sql);
        assertThat(bound.hits()).isEqualTo(1);
        cluster.view("v", "select c as renamed from u");
        assertThat(plan(overView, sql)).contains("renamed");
        cluster.view("t", "select c from u");
        assertThat(plan(table, "select * from t"))
                .as("a view in a table's place")
                .contains("c");
        assertThat(bound.hits()).isEqualTo(1);
    }

    @Test
    void sessionsThatDifferGetTheirOwn() {
        String sql = "select @x + a, @@autocommit, user(), version(), database() from t";
        Statement tree = known(sql);
        String root = plan(tree, sql);
        assertThat(bound.hits()).isEqualTo(1);
        cluster.setUser("x", Literal.bigint(6));
        assertThat(plan(tree, sql)).isNotEqualTo(root);
        assertThat(bound.hits()).isEqualTo(1);
        cluster.setUser("x", Literal.bigint(5));
        assertThat(plan(tree, sql)).isEqualTo(root);
        assertThat(bound.hits()).as("both are kept").isEqualTo(2);
        cluster.set("autocommit", "false");
        assertThat(plan(tree, sql)).isNotEqualTo(root);
        assertThat(bound.hits()).isEqualTo(2);
    }

    @Test
    void hiddenColumnsFollowTheirVariable() {
        cluster.remodel("t", KeysModel.UNIQUE, Map.of(), Map.of());
        String sql = "select * from t";
        Statement tree = known(sql);
        String plain = plan(tree, sql);
        cluster.set("show_hidden_columns", "true");
        assertThat(plan(tree, sql)).contains("__DORIS_DELETE_SIGN__").isNotEqualTo(plain);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select now(), a from t",
                "select a from t where a < unix_timestamp()",
                "select curdate()",
                "select connection_id()",
                "select last_query_id()",
                "select * from held"
            })
    void whatIsOfOneMomentIsNotKept(String sql) {
        cluster.rows(
                "held",
                List.of(new ResolvedTable.Column("h", DataType.INT, true, null)),
                List.of(List.of(Literal.integer(BigInteger.ONE))));
        Statement tree = known(sql);
        explain(tree);
        cluster.setTime(Instant.parse("2025-01-01T00:00:00Z"));
        plan(tree, sql);
        assertThat(bound.hits()).isZero();
    }

    @Test
    void queriesOfValuesAreBoundWithTheirs() {
        Statement tree = new SqlParser().parse("select a + ? from t");
        for (long value = 0; value < 4; value++) {
            String plan = String.join(
                    "\n",
                    cluster.planner()
                            .plan(tree, cluster.context(Literal.bigint(1000 + value)))
                            .explain(ExplainMode.FRAGMENTS));
            assertThat(plan).contains(Long.toString(1000 + value));
        }
        assertThat(bound.hits()).isZero();
    }

    /** The golden statements again and again: the same plans to the last identity. */
    @Test
    void plansOfRememberedBindingsAreThoseOfNewOnes() throws IOException {
        TestCluster tpch = TpchTest.tpch(3);
        int planned = 0;
        for (int number = 1; number <= 22; number++) {
            for (String sql : TpchTest.statements(number)) {
                planned += samePlans(tpch, sql);
            }
        }
        for (String sql : Files.readString(Path.of("../../regression-test/plans/shapes.sql"))
                .split(";")) {
            planned += sql.isBlank() ? 0 : samePlans(tpch, sql);
        }
        assertThat(planned).isGreaterThan(30);
        assertThat(tpch.planner().boundQueries().hits()).isGreaterThan(60);
    }

    private static int samePlans(TestCluster tpch, String sql) {
        Statement tree = new SqlParser().parse(sql);
        String first = null;
        for (int i = 0; i < 4; i++) {
            String plan =
                    String.join("\n", tpch.planner().plan(tree, tpch.context()).explain(ExplainMode.FRAGMENTS));
            first = first == null ? plan : first;
            assertThat(plan).as(sql).isEqualTo(first);
        }
        return 1;
    }
}
