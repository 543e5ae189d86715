// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.type.DataType;

/** The columns a model or a property adds behind the visible ones: names, types, and which tables have them. */
public final class HiddenColumns {
    /** 1 marks the key of a UNIQUE table as deleted. */
    public static final String DELETE_SIGN = "__DORIS_DELETE_SIGN__";
    /** Of rows with equal keys the one with the largest value stays. */
    public static final String SEQUENCE = "__DORIS_SEQUENCE_COL__";
    /** The version that wrote the row; filled in by the back end. */
    public static final String VERSION = "__DORIS_VERSION_COL__";
    /** All columns of the row, encoded by the back end. */
    public static final String ROW_STORE = "__DORIS_ROW_STORE_COL__";

    private static final Set<String> MADE_BY_BACKEND = Set.of(VERSION, ROW_STORE);

    private HiddenColumns() {}

    /** The visible columns with those behind them that the model and the properties ask for; ids follow those given. */
    public static List<SchemaColumn> append(List<SchemaColumn> visible, KeysModel model, TableProperties properties) {
        List<SchemaColumn> columns = new ArrayList<>(visible);
        if (model == KeysModel.UNIQUE) {
            add(columns, DELETE_SIGN, DataType.TINYINT, "0");
        }
        if (properties.storesRows()) {
            add(columns, ROW_STORE, DataType.STRING, "");
        }
        if (model == KeysModel.UNIQUE) {
            add(columns, VERSION, DataType.BIGINT, "0");
        }
        @Nullable DataType sequence = sequenceType(visible, properties);
        if (sequence != null) {
            add(columns, SEQUENCE, sequence, null);
        }
        return columns;
    }

    private static void add(List<SchemaColumn> columns, String name, DataType type, @Nullable String defaultText) {
        int uniqueId = columns.stream().mapToInt(SchemaColumn::uniqueId).max().orElse(-1) + 1;
        columns.add(new SchemaColumn(
                uniqueId,
                name,
                type,
                defaultText == null,
                false,
                AggregateKind.NONE,
                defaultText == null ? null : DefaultValue.literal(defaultText),
                "",
                false,
                false,
                null));
    }

    private static @Nullable DataType sequenceType(List<SchemaColumn> visible, TableProperties properties) {
        String column = properties.sequenceColumn();
        if (!column.isEmpty()) {
            return visible.stream()
                    .filter(known -> known.name().equalsIgnoreCase(column))
                    .map(SchemaColumn::type)
                    .findFirst()
                    .orElse(null);
        }
        String type = properties.sequenceType();
        return type.isEmpty() ? null : DataType.parse(type.toLowerCase(Locale.ROOT));
    }

    /** Whether no load sends the column: the back end makes its values. */
    public static boolean isMadeByBackend(SchemaColumn column) {
        return !column.visible() && MADE_BY_BACKEND.contains(column.name());
    }
}
