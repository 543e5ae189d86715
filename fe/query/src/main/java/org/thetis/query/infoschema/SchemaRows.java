// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.infoschema;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.type.DataType;
import org.thetis.sql.binder.ResolvedTable;
import org.thetis.sql.expr.Literal;

/** Collects rows for a schema table: values are turned into literals of the declared column types. */
final class SchemaRows {
    /** Column lists in the form `NAME type`, types as in {@link DataType#parse}. */
    static List<ResolvedTable.Column> columns(String... declarations) {
        List<ResolvedTable.Column> columns = new ArrayList<>();
        for (String declaration : declarations) {
            int space = declaration.indexOf(' ');
            String name = space < 0 ? declaration : declaration.substring(0, space);
            DataType type = space < 0 ? DataType.varchar(1024) : DataType.parse(declaration.substring(space + 1));
            columns.add(new ResolvedTable.Column(name, type, true, null));
        }
        return List.copyOf(columns);
    }

    private final List<ResolvedTable.Column> columns;
    private final List<List<Literal>> rows = new ArrayList<>();

    SchemaRows(List<ResolvedTable.Column> columns) {
        this.columns = columns;
    }

    /** Adds a row; values are String, Number, Instant or null and must be as many as columns. */
    SchemaRows add(@Nullable Object... values) {
        if (values.length != columns.size()) {
            throw new IllegalArgumentException(values.length + " values for " + columns.size() + " columns");
        }
        List<Literal> row = new ArrayList<>(values.length);
        for (int i = 0; i < values.length; i++) {
            row.add(literal(columns.get(i).type(), values[i]));
        }
        rows.add(row);
        return this;
    }

    List<List<Literal>> rows() {
        return rows;
    }

    /** A time for a DATETIME column, in the given zone; null when it never was. */
    static @Nullable Literal time(long millis, ZoneId zone) {
        if (millis <= 0) {
            return null;
        }
        LocalDateTime local = LocalDateTime.ofInstant(Instant.ofEpochMilli(millis), zone);
        return Literal.dateTime(local.toEpochSecond(ZoneOffset.UTC) * 1_000_000, 0);
    }

    private static Literal literal(DataType type, @Nullable Object value) {
        if (value == null) {
            return Literal.nullOf(type);
        }
        if (value instanceof Literal literal) {
            return literal;
        }
        if (value instanceof Number number && type.isInteger()) {
            return new Literal(number.longValue(), type);
        }
        return new Literal(value.toString(), type);
    }
}
