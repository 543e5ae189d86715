// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.binder;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.thetis.catalog.type.DataType;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.lower.OutputColumn;
import org.thetis.sql.lower.PlannedQuery;
import org.thetis.sql.lower.TestCluster;

/** Names, clauses and shapes of queries that bind. */
class QueryBindingTest {
    private final TestCluster cluster = new TestCluster(1);

    @BeforeEach
    void tables() {
        cluster.table("t", "id int not null, price decimal(10,2), name varchar(20), d date", 3, 1000);
        cluster.table("u", "id int not null, other int", 3, 100);
        cluster.view("v", "SELECT id AS k, price * 2 AS twice FROM db.t");
        cluster.rows(
                "tables",
                List.of(
                        new ResolvedTable.Column("table_name", DataType.VARCHAR, false, null),
                        new ResolvedTable.Column("table_rows", DataType.BIGINT, true, null)),
                List.of(
                        List.of(Literal.string("b"), Literal.bigint(2)),
                        List.of(Literal.string("a"), Literal.bigint(1))));
    }

    private List<String> names(String sql) {
        PlannedQuery planned = cluster.plan(sql);
        planned.backendPlans(false);
        return planned.outputs().stream().map(OutputColumn::name).toList();
    }

    @Test
    void namesOfColumns() {
        assertThat(names("SELECT *, id + 1, t.id AS k, count(*) OVER () FROM t"))
                .containsExactly("id", "price", "name", "d", "id + 1", "k", "count(*) OVER ()");
        assertThat(names("SELECT * EXCEPT(d, name) REPLACE(price * 2 AS price) FROM t"))
                .containsExactly("id", "price");
        assertThat(names("SELECT * FROM t JOIN u USING (id)")).containsExactly("id", "price", "name", "d", "other");
        assertThat(names("SELECT u.* FROM t LEFT JOIN u ON t.id = u.id")).containsExactly("id", "other");
        assertThat(names("SELECT * FROM v AS w (a, b)")).containsExactly("a", "b");
        assertThat(names("WITH c (x) AS (SELECT id FROM t), e AS (SELECT x + 1 AS y FROM c) SELECT * FROM c"
                        + " JOIN e ON c.x = e.y"))
                .containsExactly("x", "y");
        assertThat(names("SELECT a.id FROM t a, t b WHERE a.id = b.id")).containsExactly("id");
    }

    @Test
    void outerJoinsMakeColumnsNullable() {
        PlannedQuery planned = cluster.plan("SELECT t.id, u.id FROM t LEFT JOIN u ON t.id = u.id");
        assertThat(planned.outputs().get(0).nullable()).isFalse();
        assertThat(planned.outputs().get(1).nullable()).isTrue();
        assertThat(planned.outputs().get(0).origin()).isEqualTo(new org.thetis.sql.expr.ColumnOrigin("db", "t", "id"));
        assertThat(planned.tables()).hasSize(2);
    }

    @Test
    void groupingAndOrdering() {
        names("SELECT name AS n, sum(price) s FROM t GROUP BY n HAVING s > 1 ORDER BY 2 DESC, n LIMIT 3 OFFSET 1");
        names("SELECT year(d), count(DISTINCT name), max(id) FROM t GROUP BY 1 ORDER BY max(price)");
        names("SELECT name, d, sum(price), grouping(name) FROM t GROUP BY ROLLUP(name, d)");
        names("SELECT name, sum(price) FROM t GROUP BY GROUPING SETS ((name), ())");
        names("SELECT name, price FROM t GROUP BY CUBE(name, price)");
        names("SELECT id, count(*) OVER (PARTITION BY name ORDER BY id) r FROM t QUALIFY r = 1");
        names("SELECT count(*) FROM t WHERE id > 5 AND name LIKE 'a%' OR d IS NULL");
        names("SELECT 1 FROM t HAVING count(*) > 1");
        names("SELECT DISTINCT name FROM t ORDER BY name");
        assertThat(cluster.shape("SELECT id AS k FROM t HAVING k > 1")).doesNotContain("hashAgg");
    }

    @Test
    void subqueriesBecomeJoins() {
        assertThat(cluster.shape("SELECT id FROM t WHERE id IN (SELECT id FROM u)"))
                .contains("SEMI_JOIN")
                .doesNotContain("NULL_AWARE");
        assertThat(cluster.shape("SELECT id FROM t WHERE id NOT IN (SELECT id FROM u)"))
                .contains("ANTI_JOIN")
                .doesNotContain("NULL_AWARE");
        assertThat(cluster.shape("SELECT id FROM t WHERE id NOT IN (SELECT other FROM u)"))
                .contains("NULL_AWARE_LEFT_ANTI");
        assertThat(cluster.shape(
                        "SELECT id FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE u.id = t.id AND u.other > t.id)"))
                .contains("ANTI_JOIN");
        assertThat(cluster.shape("SELECT id FROM t WHERE price > (SELECT avg(other) FROM u WHERE u.id = t.id)"))
                .contains("hashJoin")
                .contains("hashAgg");
        assertThat(cluster.shape("SELECT (SELECT count(*) FROM u WHERE u.id = t.id) FROM t"))
                .contains("OUTER_JOIN");
        assertThat(cluster.shape("SELECT id FROM t WHERE id = 1 OR EXISTS (SELECT 1 FROM u WHERE u.id = t.id)"))
                .contains("OUTER_JOIN");
        assertThat(cluster.shape("SELECT id, id IN (SELECT other FROM u) FROM t"))
                .contains("OUTER_JOIN");
        assertThat(cluster.shape("SELECT id FROM t WHERE id = (SELECT other FROM u)"))
                .contains("PhysicalAssertRows");
    }

    @Test
    void setOperations() {
        assertThat(cluster.shape("SELECT id FROM t UNION ALL SELECT other FROM u"))
                .contains("PhysicalUnion")
                .doesNotContain("hashAgg");
        assertThat(cluster.shape("SELECT id FROM t UNION SELECT other FROM u")).contains("hashAgg");
        assertThat(cluster.shape("SELECT id FROM t INTERSECT SELECT other FROM u"))
                .contains("SEMI_JOIN");
        assertThat(cluster.shape("SELECT id FROM t EXCEPT SELECT other FROM u")).contains("ANTI_JOIN");
        assertThat(cluster.plan("SELECT id FROM t UNION ALL SELECT price FROM t")
                        .outputs()
                        .get(0)
                        .type())
                .isEqualTo(DataType.parse("decimal(12,2)"));
    }

    @Test
    void tablesOfTheFrontEndNeedNoBackEnd() {
        var rows = cluster.plan("SELECT table_name FROM tables WHERE table_name LIKE '%' AND table_rows > 0 ORDER BY"
                        + " table_name LIMIT 5")
                .constantRows();
        assertThat(rows.orElseThrow().stream().map(row -> row.get(0).text())).containsExactly("a", "b");
        assertThat(cluster.plan("SELECT 1, 'x' FROM dual").constantRows()).isPresent();
        assertThat(cluster.plan("SELECT id FROM t WHERE 1 = 0").constantRows().orElseThrow())
                .isEmpty();
        assertThat(cluster.plan("SELECT count(*) FROM t").constantRows()).isEmpty();
    }

    @Test
    void parametersAreLiterals() {
        PlannedQuery planned = cluster.plan(
                "SELECT id FROM t WHERE id = ? AND name = ? LIMIT ?",
                Literal.bigint(7),
                Literal.string("x"),
                Literal.bigint(2));
        assertThat(String.join("\n", planned.explain(org.thetis.sql.lower.ExplainMode.FRAGMENTS)))
                .contains("(id = 7)")
                .contains("(name = 'x')")
                .contains("limit: 2");
    }
}
