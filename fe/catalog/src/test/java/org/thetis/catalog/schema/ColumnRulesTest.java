// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.type.DataType;

class ColumnRulesTest {
    private static List<SchemaColumn> columns(DataType... types) {
        List<SchemaColumn> columns = new ArrayList<>();
        for (DataType type : types) {
            columns.add(SchemaColumn.of("c" + columns.size(), type, true));
        }
        return columns;
    }

    private static long chosenKeys(DataType... types) {
        return ColumnRules.check(columns(types), null, List.of()).columns().stream()
                .filter(SchemaColumn::key)
                .count();
    }

    @Test
    void keysAreChosenAsAShortPrefix() {
        assertThat(chosenKeys(DataType.INT, DataType.INT, DataType.INT, DataType.INT))
                .isEqualTo(3);
        assertThat(chosenKeys(DataType.INT, DataType.varchar(10), DataType.INT)).isEqualTo(2);
        assertThat(chosenKeys(DataType.character(40), DataType.INT)).isEqualTo(1);
        assertThat(chosenKeys(DataType.LARGEINT, DataType.LARGEINT, DataType.BIGINT))
                .isEqualTo(2);
        assertThat(chosenKeys(DataType.INT, DataType.DOUBLE, DataType.INT)).isEqualTo(1);
        assertThat(chosenKeys(DataType.STRING))
                .as("no key is possible, none is needed")
                .isZero();
    }

    @Test
    void keyClauseIsAnOrderedPrefix() {
        List<SchemaColumn> columns = columns(DataType.INT, DataType.DATE, DataType.DOUBLE);
        ColumnRules.Checked checked = ColumnRules.check(columns, KeysModel.DUPLICATE, List.of("C0", "c1"));
        assertThat(checked.columns()).extracting(SchemaColumn::key).containsExactly(true, true, false);
        assertThat(checked.shortKeyColumns()).isEqualTo(2);
        refused(
                columns,
                KeysModel.DUPLICATE,
                List.of("c1"),
                ErrorCode.INVALID_ARGUMENT,
                "Key columns should be a ordered prefix of the schema");
        refused(
                columns,
                KeysModel.DUPLICATE,
                List.of("nope"),
                ErrorCode.UNKNOWN_COLUMN,
                "Key column(nope) doesn't exist.");
        refused(
                columns,
                KeysModel.DUPLICATE,
                List.of("c0", "c1", "c2"),
                ErrorCode.INVALID_ARGUMENT,
                "Float or double can not used as a key");
    }

    private static void refused(
            List<SchemaColumn> columns, @Nullable KeysModel model, List<String> keys, ErrorCode code, String message) {
        assertThatThrownBy(() -> ColumnRules.check(columns, model, keys))
                .hasMessageContaining(message)
                .satisfies(failure ->
                        assertThat(((ThetisException) failure).code()).isEqualTo(code));
    }

    @Test
    void badColumnsAreNamed() {
        List<SchemaColumn> twice =
                List.of(SchemaColumn.of("a", DataType.INT, true), SchemaColumn.of("A", DataType.INT, true));
        refused(twice, null, List.of(), ErrorCode.DUPLICATE_COLUMN, "Duplicate column name 'A'");
        refused(List.of(), null, List.of(), ErrorCode.INVALID_ARGUMENT, "at least 1 column");
        refused(
                columns(DataType.time(0)),
                null,
                List.of(),
                ErrorCode.INVALID_ARGUMENT,
                "TIME cannot be the type of a column");
        refused(columns(DataType.array(DataType.INT)), null, List.of(), ErrorCode.NOT_SUPPORTED, "array<int>");
        List<SchemaColumn> wrongDefault =
                List.of(columns(DataType.INT).get(0).withDefaultValue(DefaultValue.literal("x")));
        refused(wrongDefault, null, List.of(), ErrorCode.INVALID_DEFAULT, "Invalid default value for 'c0'");
        List<SchemaColumn> nullDefault =
                List.of(SchemaColumn.of("a", DataType.INT, false).withDefaultValue(DefaultValue.NULL));
        refused(nullDefault, null, List.of(), ErrorCode.INVALID_DEFAULT, "NULL");
    }

    @Test
    void propertiesAreChecked() {
        assertThat(PropertyRules.check(Map.of("replication_allocation", "tag.location.default: 2")))
                .containsEntry("replication_num", "2");
        assertThatThrownBy(() -> PropertyRules.check(Map.of("replication_numm", "1")))
                .hasMessageContaining("Unknown properties")
                .hasMessageContaining("did you mean 'replication_num'?");
        assertThatThrownBy(() -> PropertyRules.check(Map.of("replication_num", "0")))
                .hasMessageContaining("replication_num");
        assertThatThrownBy(() -> PropertyRules.check(Map.of("compression", "rar")))
                .hasMessageContaining("compression");
        assertThatThrownBy(() -> PropertyRules.check(Map.of("dynamic_partition.enable", "true")))
                .hasMessageContaining("not supported");
        assertThatThrownBy(() -> PropertyRules.check(Map.of("in_memory", "true")))
                .hasMessageContaining("Not support set 'in_memory'='true' now!");
    }
}
