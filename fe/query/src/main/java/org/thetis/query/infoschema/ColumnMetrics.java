// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.infoschema;

import org.jspecify.annotations.Nullable;
import org.thetis.catalog.type.DataType;

/** What information_schema.columns says of a type; null where a measure does not apply. */
record ColumnMetrics(
        String dataType,
        String columnType,
        @Nullable Long characters,
        @Nullable Long precision,
        @Nullable Long scale,
        @Nullable Long dateTimePrecision,
        @Nullable Long size) {
    private static final long MAX_TEXT = 2_147_483_643L;

    static ColumnMetrics of(DataType type) {
        return switch (type.id()) {
            case BOOLEAN -> number("tinyint", "tinyint(1)", 1L);
            case TINYINT -> number("tinyint", "tinyint(4)", 3L);
            case SMALLINT -> number("smallint", "smallint(6)", 5L);
            case INT -> number("int", "int(11)", 10L);
            case BIGINT -> number("bigint", "bigint(20)", 19L);
            case LARGEINT -> number("bigint unsigned", "largeint", 39L);
            case FLOAT -> new ColumnMetrics("float", "float", null, 7L, 7L, null, 7L);
            case DOUBLE -> new ColumnMetrics("double", "double", null, 15L, 15L, null, 15L);
            case DECIMAL ->
                new ColumnMetrics(
                        "decimal",
                        "decimalv3(" + type.precision() + ", " + type.scale() + ")",
                        null,
                        (long) type.precision(),
                        (long) type.scale(),
                        null,
                        (long) type.precision());
            case DATE -> new ColumnMetrics("date", "date", null, null, null, null, null);
            case DATETIME -> new ColumnMetrics("datetime", type.toSql(), null, null, null, (long) type.scale(), null);
            case CHAR -> text("char", type.toSql(), type.length());
            case VARCHAR -> text("varchar", type.toSql(), type.length());
            case STRING -> text("varchar", "string", MAX_TEXT);
            default -> new ColumnMetrics(type.id().sqlName(), type.toSql(), null, null, null, null, null);
        };
    }

    private static ColumnMetrics number(String dataType, String columnType, long digits) {
        return new ColumnMetrics(dataType, columnType, null, digits, 0L, null, digits);
    }

    private static ColumnMetrics text(String dataType, String columnType, long length) {
        return new ColumnMetrics(dataType, columnType, length, null, null, null, length);
    }
}
