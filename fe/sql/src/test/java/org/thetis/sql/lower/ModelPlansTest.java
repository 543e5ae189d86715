// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.lower;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.schema.AggregateKind;
import org.thetis.catalog.schema.IndexMeta;
import org.thetis.catalog.schema.KeysModel;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.catalog.type.DataType;
import org.thetis.wire.thrift.DeletePredicate;
import org.thetis.wire.thrift.Expr;
import org.thetis.wire.thrift.IndexSink;
import org.thetis.wire.thrift.TableSink;
import org.thetis.wire.thrift.UniqueId;

/** Plans over AGGREGATE and UNIQUE tables: when rows must be merged, what is hidden, and what changes write. */
class ModelPlansTest {
    private final TestCluster cluster = new TestCluster(1);

    @BeforeEach
    void tables() {
        cluster.table("a", "k int, s bigint, lo int, hi int, r int", 2, 1000);
        cluster.remodel(
                "a",
                KeysModel.AGGREGATE,
                Map.of(
                        "s", AggregateKind.SUM,
                        "lo", AggregateKind.MIN,
                        "hi", AggregateKind.MAX,
                        "r", AggregateKind.REPLACE),
                Map.of());
        cluster.table("d", "k int, v int", 2, 1000);
        cluster.table("u", "k int not null, a int, b varchar(10) not null", 2, 1000);
        cluster.remodel("u", KeysModel.UNIQUE, Map.of(), Map.of());
        cluster.table("m", "k int not null, a int", 2, 1000);
        cluster.remodel("m", KeysModel.UNIQUE, Map.of(), Map.of("enable_unique_key_merge_on_write", "false"));
        cluster.table("q", "k int not null, ts datetime, a int", 2, 1000);
        cluster.remodel("q", KeysModel.UNIQUE, Map.of(), Map.of("function_column.sequence_col", "ts"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT k, sum(s), min(lo), max(hi), count(DISTINCT k) FROM a GROUP BY k",
                "SELECT sum(s) FROM a WHERE k > 3",
                "SELECT DISTINCT k FROM a",
                "SELECT min(k), max(k + 1) FROM a",
                "SELECT d.v, sum(a.s) FROM d JOIN a ON d.k = a.k GROUP BY d.v",
                "SELECT d.v FROM d WHERE d.k IN (SELECT k FROM a)",
                "SELECT k FROM d",
                "SELECT k, a FROM u",
            })
    void rowsMayComeApart(String sql) {
        assertThat(cluster.explain(sql)).contains("PREAGGREGATION: ON").doesNotContain("PREAGGREGATION: OFF");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM a",
                "SELECT count(*) FROM a",
                "SELECT count(k) FROM a",
                "SELECT sum(k) FROM a",
                "SELECT sum(s) FROM a WHERE s > 3",
                "SELECT s, count(DISTINCT k) FROM a GROUP BY s",
                "SELECT max(lo) FROM a",
                "SELECT sum(r) FROM a",
                "SELECT sum(s + 1) FROM a",
                "SELECT sum(d.v) FROM d JOIN a ON d.k = a.k",
                "SELECT count(*), sum(s) FROM a",
                "SELECT d.v FROM d JOIN a ON d.k = a.k",
                "SELECT sum(s) FROM (SELECT * FROM a LIMIT 3) x",
                "SELECT max(k) FROM a WHERE rand() > 0.5",
                "SELECT count(DISTINCT k) FROM m",
            })
    void rowsAreMerged(String sql) {
        assertThat(cluster.explain(sql)).contains("PREAGGREGATION: OFF. Reason: ");
    }

    @Test
    void aSwitchForcesRawRows() {
        cluster.set("skip_storage_engine_merge", "true");
        assertThat(cluster.explain("SELECT * FROM a")).contains("PREAGGREGATION: ON");
    }

    @Test
    void deletedRowsAreHidden() {
        assertThat(cluster.explain("SELECT count(*) FROM u"))
                .contains("PREDICATES: (__DORIS_DELETE_SIGN__ = 0)")
                .contains("pushAggOp=NONE");
        assertThat(cluster.explain("SELECT count(*) FROM d")).contains("pushAggOp=COUNT");
        assertThat(cluster.explain("SELECT count(*) FROM a")).contains("pushAggOp=NONE");
        assertThat(cluster.plan("SELECT * FROM u").outputs())
                .extracting(OutputColumn::name)
                .containsExactly("k", "a", "b");
        assertThat(cluster.plan("SELECT x.*, __DORIS_DELETE_SIGN__ FROM u x").outputs())
                .hasSize(4);
    }

    @Test
    void bucketsArePrunedBesideTheDeleteSign() {
        assertThat(cluster.explain("SELECT a FROM u WHERE k = 1")).contains("tablets=1/2");
        assertThat(cluster.explain("SELECT x.a FROM d JOIN u x ON d.k = x.k WHERE d.k = 1"))
                .doesNotContain("tablets=2/2");
    }

    @Test
    void updatesWriteTheSetColumnsAndDeletesWholeRows() {
        TableSink update = sink("UPDATE u SET a = a + 1 WHERE k = 1");
        assertThat(names("u", update)).containsExactly("k", "a");
        assertThat(update.isPartial_update()).isTrue();
        assertThat(update.isPartial_update_existing_only()).isTrue();
        assertThat(names("u", sink("DELETE FROM u USING d WHERE u.k = d.k")))
                .containsExactly("k", "a", "b", "__DORIS_DELETE_SIGN__");
        assertThat(names("q", sink("INSERT INTO q VALUES (1, '2024-01-01', 2)")))
                .containsExactly("k", "ts", "a", "__DORIS_DELETE_SIGN__", "__DORIS_SEQUENCE_COL__");
        assertThat(names("q", sink("UPDATE q SET ts = '2024-01-01'")))
                .containsExactly("k", "ts", "__DORIS_SEQUENCE_COL__");
        assertThat(names("q", sink("UPDATE q SET a = 1"))).containsExactly("k", "a");
    }

    @Test
    void partialUpdatesWriteWhatIsNamed() {
        cluster.set("enable_unique_key_partial_update", "true");
        TableSink sink = sink("INSERT INTO u (a, k) VALUES (1, 2)");
        assertThat(sink.isPartial_update()).isTrue();
        assertThat(sink.isPartial_update_existing_only()).isTrue();
        assertThat(names("u", sink)).containsExactly("k", "a");
        assertThat(sink.getPartitions().getDistribution_columns()).containsExactly(0);
        assertThat(sink("INSERT INTO u VALUES (1, 2, 'x')").isPartial_update()).isFalse();
        assertThat(names("q", sink("INSERT INTO q (ts, k) VALUES ('2024-01-01', 2)")))
                .containsExactly("k", "ts", "__DORIS_SEQUENCE_COL__");
        assertThatThrownBy(() -> cluster.plan("INSERT INTO u (a, b) VALUES (1, 'x')"))
                .isInstanceOf(ThetisException.class)
                .hasMessageContaining("missing: k");
    }

    @Test
    void conversionsBringTheirSources() {
        TableSink sink = sink("INSERT INTO d SELECT b, a FROM u");
        assertThat(sink.getUnconverted()).containsExactly(2, -1);
        assertThat(sink("INSERT INTO d SELECT * FROM d").isSetUnconverted()).isFalse();
    }

    @Test
    void otherModelsDeleteByCondition() {
        StoragePredicate predicate = cluster.plan("DELETE FROM d WHERE v > 3 AND k IN (1, 2)")
                .storagePredicate()
                .orElseThrow();
        assertThat(predicate.partitions()).hasSize(1);
        assertThat(predicate.predicate().getColumn_unique_ids()).containsExactlyInAnyOrder(0, 1);
        assertThat(predicate.predicate().getConjuncts()).hasSize(2);
        assertThat(cluster.plan("DELETE FROM d WHERE 1 = 2")
                        .storagePredicate()
                        .orElseThrow()
                        .partitions())
                .isEmpty();
        for (String refused : List.of(
                "DELETE FROM a WHERE s = 1",
                "DELETE FROM d WHERE k IN (SELECT k FROM u)",
                "DELETE FROM d WHERE rand() < 1",
                "DELETE FROM d USING u WHERE d.k = u.k",
                "DELETE FROM d",
                "UPDATE d SET v = 1")) {
            assertThatThrownBy(() -> cluster.plan(refused)).as(refused).isInstanceOf(ThetisException.class);
        }
    }

    @Test
    void shadowsTakeWhatIsSentOfPartialUpdates() {
        cluster.table("w", "k int not null, p int not null, a int, b int, c int", 2, 1000);
        cluster.keys("w", 2);
        cluster.remodel("w", KeysModel.UNIQUE, Map.of(), Map.of());
        List<SchemaColumn> base = cluster.stored("w").columns();
        SchemaColumn added = SchemaColumn.of("x", DataType.INT, true).withUniqueId(90);
        // The keys change places, b is dropped, a is widened, x is new.
        cluster.shadow(
                "w",
                List.of(
                        base.get(1),
                        base.get(0),
                        added,
                        base.get(4),
                        base.get(2).withType(DataType.BIGINT)));
        IndexSink set = shadow("UPDATE w SET a = 1, b = 2 WHERE c > 3");
        assertThat(set.getColumn_unique_ids()).containsExactly(1, 0, 2);
        assertThat(set.isPartial_update()).isTrue();
        assertThat(set.isPartial_update_existing_only()).isTrue();
        assertThat(set.getExpressions().get(0).getNode().getSlot().getPosition())
                .isEqualTo(1);
        assertThat(set.getExpressions().get(1).getNode().getSlot().getPosition())
                .isEqualTo(0);
        assertThat(set.getExpressions().get(2).getNode().isSetCast()).isTrue();
        assertThat(set.getExpressions().get(2).getType().getId())
                .isEqualTo(DataType.BIGINT.toThrift(true).getId());
        assertThat(shadow("UPDATE w SET b = 2").getColumn_unique_ids()).containsExactly(1, 0);
        IndexSink whole = shadow("INSERT INTO w VALUES (1, 2, 3, 4, 5)");
        assertThat(whole.isSetColumn_unique_ids()).isFalse();
        assertThat(whole.isPartial_update()).isFalse();
        assertThat(whole.getExpressions()).hasSize(6); // With the delete sign.
    }

    @Test
    void shadowsTakeNewRowsOnlyWhereTheBaseDoes() {
        cluster.set("enable_unique_key_partial_update", "true");
        cluster.set("enable_insert_strict", "false");
        for (String type : List.of("int", "int not null")) {
            cluster.table("w", "k int not null, a int, b " + type, 2, 1000);
            cluster.remodel("w", KeysModel.UNIQUE, Map.of(), Map.of());
            List<SchemaColumn> base = cluster.stored("w").columns();
            cluster.shadow("w", List.of(base.get(0), base.get(2), base.get(1).withType(DataType.BIGINT)));
            TableSink sink = sink("INSERT INTO w (k, a) VALUES (1, 2)");
            assertThat(sink.isPartial_update_existing_only()).as(type).isFalse();
            // Without a value for b the base takes no new rows; the shadow cannot tell yet which are new.
            assertThat(sink.getFurther_indexes().get(0).isPartial_update_existing_only())
                    .as(type)
                    .isEqualTo(type.endsWith("not null"));
        }
    }

    @Test
    void aConditionForTheShadowIsOverTheOldTypes() {
        StoragePredicate planned = cluster.plan("DELETE FROM d WHERE v > 3 AND k IN (1, 2)")
                .storagePredicate()
                .orElseThrow();
        IndexMeta base = planned.table().baseIndex();
        SchemaColumn k = base.columns().get(0);
        SchemaColumn v = base.columns().get(1);
        DeletePredicate same = planned.over(base.withColumns(1, List.of(v, k), 9));
        assertThat(same.getColumn_unique_ids())
                .containsExactlyElementsOf(planned.predicate().getColumn_unique_ids());
        assertThat(same.getConjuncts()).hasSize(2).allSatisfy(each -> assertThat(each.toString())
                .doesNotContain("cast"));
        DeletePredicate wider = planned.over(base.withColumns(1, List.of(k, v.withType(DataType.BIGINT)), 9));
        List<Expr> casts = wider.getConjuncts().stream()
                .map(each -> each.getChildren().get(0))
                .filter(each -> each.getNode().isSetCast())
                .toList();
        assertThat(casts).singleElement().satisfies(cast -> {
            assertThat(cast.getType()).isEqualTo(DataType.INT.toThrift(true));
            assertThat(cast.getChildren().get(0).getType()).isEqualTo(DataType.BIGINT.toThrift(true));
        });
        assertThatThrownBy(() -> planned.over(base.withColumns(1, List.of(k), 9)))
                .hasMessageContaining("column v has to wait")
                .hasMessageContaining("drops it");
        cluster.table("words", "k int, w varchar(10)", 2, 1000);
        StoragePredicate words = cluster.plan("DELETE FROM words WHERE w = '07'")
                .storagePredicate()
                .orElseThrow();
        List<SchemaColumn> columns = words.table().baseIndex().columns();
        List<SchemaColumn> parsed = List.of(columns.get(0), columns.get(1).withType(DataType.INT));
        assertThatThrownBy(() -> words.over(words.table().baseIndex().withColumns(1, parsed, 9)))
                .hasMessageContaining("column w has to wait")
                .hasMessageContaining("changes to int");
    }

    private TableSink sink(String sql) {
        LoadTransaction transaction = new LoadTransaction(7, 1, new UniqueId(1, 2), 1000, true, 0);
        return cluster.plan(sql)
                .backendPlans(transaction)
                .get(0)
                .fragments()
                .get(0)
                .getSink()
                .getTable();
    }

    private IndexSink shadow(String sql) {
        List<IndexSink> further = sink(sql).getFurther_indexes();
        assertThat(further).hasSize(1);
        return further.get(0);
    }

    private List<String> names(String table, TableSink sink) {
        return cluster.stored(table).columns().stream()
                .filter(column -> sink.getColumn_unique_ids().contains(column.uniqueId()))
                .map(SchemaColumn::name)
                .toList();
    }
}
