// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.schema;

import java.util.List;
import java.util.Set;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.type.DataType;
import org.thetis.catalog.type.TypeId;

/** What the model of a table asks of its columns, partitions, buckets and properties. */
public final class ModelRules {
    private static final Set<TypeId> SEQUENCE_TYPES = Set.of(
            TypeId.TINYINT, TypeId.SMALLINT, TypeId.INT, TypeId.BIGINT, TypeId.LARGEINT, TypeId.DATE, TypeId.DATETIME);

    private ModelRules() {}

    /** Every value column of an AGGREGATE table has a function that fits its type; no other model has functions. */
    public static void checkAggregates(KeysModel model, List<SchemaColumn> columns) {
        for (SchemaColumn column : columns) {
            if (column.key() || !column.visible()) {
                continue;
            }
            if (model != KeysModel.AGGREGATE) {
                if (column.aggregate() != AggregateKind.NONE) {
                    throw refused(model.sql() + " tables have no aggregated columns: " + column.name());
                }
            } else if (column.aggregate() == AggregateKind.NONE) {
                throw refused("should set aggregation type to non-key column in aggregate key table: " + column.name());
            } else {
                checkAggregate(column);
            }
        }
    }

    private static void checkAggregate(SchemaColumn column) {
        DataType type = column.type();
        boolean fits =
                switch (column.aggregate()) {
                    case SUM -> type.isInteger() || type.isDecimal() || type.isFloatingPoint();
                    case MIN, MAX ->
                        type.isInteger()
                                || type.isDecimal()
                                || type.isFloatingPoint()
                                || type.isDateLike()
                                || type.isText()
                                || type.id() == TypeId.IPV4
                                || type.id() == TypeId.IPV6;
                    case REPLACE, REPLACE_IF_NOT_NULL -> true;
                    default ->
                        throw ThetisException.notSupported(
                                "Aggregation type " + column.aggregate() + " of column '" + column.name() + "'");
                };
        if (!fits) {
            throw refused("Aggregate type " + column.aggregate() + " is not compatible with primitive type "
                    + type.toSql() + ": " + column.name());
        }
    }

    /** Properties that only some models have, and those that contradict each other. */
    public static void checkProperties(KeysModel model, List<SchemaColumn> columns, TableProperties properties) {
        if (properties.has(TableProperties.MERGE_ON_WRITE) && model != KeysModel.UNIQUE) {
            throw refused("enable_unique_key_merge_on_write property only support unique key table");
        }
        checkSequence(model, columns, properties);
        checkRowStore(model, columns, properties);
    }

    private static void checkSequence(KeysModel model, List<SchemaColumn> columns, TableProperties properties) {
        String name = properties.sequenceColumn();
        boolean typed = properties.has(TableProperties.SEQUENCE_TYPE);
        boolean mapped = properties.has(TableProperties.SEQUENCE_COLUMN);
        if (!typed && !mapped) {
            return;
        }
        if (model != KeysModel.UNIQUE) {
            throw refused("sequence column only support UNIQUE_KEYS");
        }
        if (typed && mapped) {
            throw refused("sequence_col and sequence_type cannot be set at the same time");
        }
        DataType type;
        if (mapped) {
            type = columns.stream()
                    .filter(column -> column.name().equalsIgnoreCase(name))
                    .findFirst()
                    .orElseThrow(() -> refused("The specified sequence column[" + name + "] not exists"))
                    .type();
        } else {
            type = DataType.parse(properties.sequenceType());
        }
        if (!SEQUENCE_TYPES.contains(type.id())) {
            throw refused("Sequence type only support integer types and date types: " + type.toSql());
        }
    }

    private static void checkRowStore(KeysModel model, List<SchemaColumn> columns, TableProperties properties) {
        List<String> names = properties.rowStoreColumns();
        if (!properties.storesRows()) {
            return;
        }
        if (model == KeysModel.AGGREGATE) {
            throw refused("store_row_column is not supported by AGGREGATE KEY tables");
        }
        if (!names.isEmpty()
                && properties.has(TableProperties.STORE_ROW_COLUMN)
                && !properties.isTrue(TableProperties.STORE_ROW_COLUMN)) {
            throw refused("row_store_columns contradicts store_row_column = false");
        }
        for (String name : names) {
            if (columns.stream().noneMatch(column -> column.name().equalsIgnoreCase(name))) {
                throw new ThetisException(
                        ErrorCode.UNKNOWN_COLUMN,
                        "row_store_columns: column does not exist in table. invalid column: " + name);
            }
        }
    }

    /** Rows with equal keys must meet in one tablet: partitions and buckets go by key columns. */
    public static void checkPlacement(
            KeysModel model, List<SchemaColumn> columns, PartitionSpec partitioning, Distribution distribution) {
        if (model == KeysModel.DUPLICATE) {
            return;
        }
        for (String name : partitioning.columns()) {
            if (!isKey(columns, name)) {
                throw refused("Only key column can be partition column: " + name);
            }
        }
        for (String name : distribution.columns()) {
            if (!isKey(columns, name)) {
                throw refused("Distribution column[" + name + "] is not key column");
            }
        }
        if (distribution.kind() == Distribution.Kind.HASH) {
            return;
        }
        if (model == KeysModel.UNIQUE) {
            throw refused("Create unique keys table should not contain random distribution desc");
        }
        if (replaces(columns)) {
            throw refused("Create aggregate keys table with value columns of which aggregate type is REPLACE "
                    + "should not contain random distribution desc");
        }
    }

    /** Whether the model is only right when rows with equal keys are in one tablet. */
    public static boolean needsHashBuckets(KeysModel model, List<SchemaColumn> columns) {
        return model == KeysModel.UNIQUE || (model == KeysModel.AGGREGATE && replaces(columns));
    }

    private static boolean replaces(List<SchemaColumn> columns) {
        return columns.stream()
                .anyMatch(column -> column.aggregate() == AggregateKind.REPLACE
                        || column.aggregate() == AggregateKind.REPLACE_IF_NOT_NULL);
    }

    private static boolean isKey(List<SchemaColumn> columns, String name) {
        return columns.stream().anyMatch(column -> column.key() && column.name().equalsIgnoreCase(name));
    }

    private static ThetisException refused(String message) {
        return new ThetisException(ErrorCode.INVALID_ARGUMENT, message);
    }
}
