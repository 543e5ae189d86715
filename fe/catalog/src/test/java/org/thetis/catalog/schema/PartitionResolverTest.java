// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.type.DataType;

class PartitionResolverTest {
    private static final IntervalExpansion EXPANSION = new IntervalExpansion("p_", 100);

    private static SchemaColumn column(DataType type) {
        return SchemaColumn.of("c", type, true);
    }

    private static PartitionResolver range(DataType... types) {
        return new PartitionResolver(
                PartitionKind.RANGE,
                Arrays.stream(types).map(PartitionResolverTest::column).toList(),
                EXPANSION);
    }

    private static PartitionResolver list(DataType type, boolean nullable) {
        return new PartitionResolver(PartitionKind.LIST, List.of(SchemaColumn.of("c", type, nullable)), EXPANSION);
    }

    private static List<BoundValue> bounds(String... texts) {
        return Arrays.stream(texts)
                .map(text -> text.equals("MAXVALUE") ? BoundValue.MAXVALUE : BoundValue.of(text))
                .toList();
    }

    private static PartitionDefinition lessThan(String name, String... upper) {
        return new PartitionDefinition.LessThan(name, false, bounds(upper), Map.of());
    }

    private static PartitionDefinition fixed(String name, String lower, String upper) {
        return new PartitionDefinition.FixedRange(name, false, bounds(lower), bounds(upper), Map.of());
    }

    private static List<String> texts(PartitionResolver resolver, DataType type, PartitionDefinition... definitions) {
        return resolver.resolve(List.of(definitions)).stream()
                .map(resolved -> resolved.name() + " " + resolved.item().toSql(List.of(type)))
                .toList();
    }

    @Test
    void lessThanStartsWhereTheOneBeforeEnds() {
        assertThat(texts(
                        range(DataType.INT),
                        DataType.INT,
                        lessThan("a", "10"),
                        lessThan("b", "20"),
                        lessThan("c", "MAXVALUE")))
                .containsExactly(
                        "a [(\"-2147483648\"), (\"10\"))", "b [(\"10\"), (\"20\"))", "c [(\"20\"), (MAXVALUE))");
    }

    @Test
    void bareMaxvalueClosesTheTable() {
        assertThatThrownBy(() -> texts(range(DataType.INT), DataType.INT, lessThan("a"), lessThan("b", "5")))
                .hasMessageContaining("intersected");
    }

    @Test
    void lessThanAfterAGapStartsAtTheEndOfTheRangeBelowIt() {
        assertThat(texts(
                        range(DataType.INT),
                        DataType.INT,
                        fixed("a", "0", "10"),
                        fixed("c", "20", "30"),
                        lessThan("d", "40")))
                .last()
                .isEqualTo("d [(\"30\"), (\"40\"))");
        assertThatThrownBy(() -> texts(
                        range(DataType.INT),
                        DataType.INT,
                        fixed("a", "0", "10"),
                        fixed("c", "20", "30"),
                        lessThan("b", "25")))
                .hasMessageContaining("intersected");
    }

    @Test
    void fixedRangesMayLeaveGapsButNotOverlap() {
        assertThat(texts(
                        range(DataType.DATE),
                        DataType.DATE,
                        fixed("b", "2024-01-01", "2024-02-01"),
                        fixed("a", "2023-01-01", "2023-02-01")))
                .containsExactly("b [('2024-01-01'), ('2024-02-01'))", "a [('2023-01-01'), ('2023-02-01'))");
        assertThatThrownBy(() -> texts(range(DataType.INT), DataType.INT, fixed("a", "1", "5"), fixed("b", "4", "6")))
                .hasMessageContaining(
                        "Range [(\"4\"), (\"6\")) of partition b is intersected with range [(\"1\"), (\"5\")) of partition a");
        assertThatThrownBy(() -> texts(range(DataType.INT), DataType.INT, fixed("a", "5", "5")))
                .hasMessageContaining("is empty");
    }

    @Test
    void severalColumnsCompareInOrderAndMissingValuesAreTheLeast() {
        PartitionResolver resolver = range(DataType.INT, DataType.DATE);
        List<PartitionResolver.Resolved> made = resolver.resolve(
                List.of(lessThan("a", "1"), lessThan("b", "1", "2024-01-01"), lessThan("c", "MAXVALUE", "MAXVALUE")));
        assertThat(made).extracting(PartitionResolver.Resolved::name).containsExactly("a", "b", "c");
        assertThatThrownBy(() -> range(DataType.INT).resolve(List.of(lessThan("a", "1", "2"))))
                .hasMessageContaining("2 values for 1");
    }

    @Test
    void listKeysAreUnique() {
        PartitionDefinition in =
                new PartitionDefinition.InValues("a", false, List.of(bounds("x"), bounds("y")), Map.of());
        PartitionDefinition again = new PartitionDefinition.InValues("b", false, List.of(bounds("y")), Map.of());
        assertThat(texts(list(DataType.varchar(5), true), DataType.varchar(5), in))
                .containsExactly("a IN (\"x\",\"y\")");
        assertThatThrownBy(() -> list(DataType.varchar(5), true).resolve(List.of(in, again)))
                .hasMessageContaining("is in a partition already");
        PartitionDefinition withNull =
                new PartitionDefinition.InValues("n", false, List.of(List.of(BoundValue.NULL)), Map.of());
        assertThat(list(DataType.INT, true).resolve(List.of(withNull))).hasSize(1);
        assertThatThrownBy(() -> list(DataType.INT, false).resolve(List.of(withNull)))
                .hasMessageContaining("NOT NULL");
    }

    @Test
    void namesAreUniqueWhateverTheirCase() {
        assertThatThrownBy(() -> texts(range(DataType.INT), DataType.INT, lessThan("p", "1"), lessThan("P", "2")))
                .satisfies(failure ->
                        assertThat(((ThetisException) failure).code()).isEqualTo(ErrorCode.DUPLICATE_PARTITION));
        PartitionDefinition ifNotExists = new PartitionDefinition.LessThan("P", true, bounds("2"), Map.of());
        assertThat(range(DataType.INT).resolve(List.of(lessThan("p", "1"), ifNotExists)))
                .hasSize(1);
    }

    @Test
    void intervalsExpand() {
        PartitionDefinition months = new PartitionDefinition.Interval(
                BoundValue.of("2024-01-31"), BoundValue.of("2024-04-15"), 1, "month", Map.of());
        assertThat(texts(range(DataType.DATE), DataType.DATE, months))
                .containsExactly(
                        "p_202401 [('2024-01-31'), ('2024-02-29'))",
                        "p_202402 [('2024-02-29'), ('2024-03-31'))",
                        "p_202403 [('2024-03-31'), ('2024-04-15'))");
        PartitionDefinition numbers =
                new PartitionDefinition.Interval(BoundValue.of("0"), BoundValue.of("25"), 10, null, Map.of());
        assertThat(texts(range(DataType.INT), DataType.INT, numbers))
                .containsExactly("p_0 [(\"0\"), (\"10\"))", "p_10 [(\"10\"), (\"20\"))", "p_20 [(\"20\"), (\"25\"))");
        PartitionDefinition many =
                new PartitionDefinition.Interval(BoundValue.of("0"), BoundValue.of("1000"), 1, null, Map.of());
        assertThatThrownBy(() -> range(DataType.INT).resolve(List.of(many)))
                .hasMessageContaining("max_multi_partition_num");
        PartitionDefinition hours = new PartitionDefinition.Interval(
                BoundValue.of("2024-01-01"), BoundValue.of("2024-01-02"), 12, "HOUR", Map.of());
        assertThat(texts(range(DataType.DATETIME), DataType.DATETIME, hours))
                .first()
                .asString()
                .startsWith("p_2024010100 ");
        assertThatThrownBy(() -> range(DataType.DATE).resolve(List.of(hours))).hasMessageContaining("HOUR");
    }

    @Test
    void wrongColumnsAndKindsAreRefused() {
        assertThatThrownBy(() -> range(DataType.varchar(5)))
                .hasMessageContaining("type[varchar(5)] cannot be a range partition key");
        assertThatThrownBy(() -> range(DataType.DOUBLE)).hasMessageContaining("partition key");
        assertThatThrownBy(() -> list(DataType.INT, true).resolve(List.of(lessThan("a", "1"))))
                .hasMessageContaining("partitioned by LIST");
        assertThatThrownBy(() -> texts(range(DataType.DATE), DataType.DATE, lessThan("a", "soon")))
                .hasMessageContaining("not a value of type date");
    }
}
