// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.binder;

import java.time.LocalDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.DefaultValue;
import org.thetis.catalog.schema.HiddenColumns;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.catalog.type.DataType;
import org.thetis.sql.expr.DateTimes;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.functions.Coercion;

/** Values of columns that a statement or a load leaves out. */
public final class Defaults {
    private Defaults() {}

    /**
     * What a partial update gives a key that is not there yet in columns with a default that it does not send, by unique id; the
     * same as an INSERT that leaves them out.
     */
    static Map<Integer, Expr> ofAbsent(OlapTable table, List<SchemaColumn> sent, SessionFacts session) {
        Map<Integer, Expr> values = new HashMap<>();
        for (SchemaColumn column : table.columns()) {
            boolean isSequence = WriteTarget.isSequence(column);
            if (sent.contains(column) || HiddenColumns.isMadeByBackend(column) || !(column.visible() || isSequence)) {
                continue;
            }
            SchemaColumn source = isSequence
                    ? table.findColumn(table.properties().sequenceColumn()).orElse(column)
                    : column;
            // Where the default is others than it was, new rows differ from those that were written before the column
            // was added.
            if (source.defaultValue() != null || source.initial() != null && source.nullable()) {
                values.put(column.uniqueId(), of(source, session));
            }
        }
        return values;
    }

    /** The column's default as an expression of its type; NULL without one. */
    public static Expr of(SchemaColumn column, SessionFacts session) {
        DefaultValue value = column.defaultValue();
        if (value == null) {
            return Literal.nullOf(column.type());
        }
        LocalDateTime now = LocalDateTime.ofInstant(session.statementTime(), session.timeZone());
        Expr plain =
                switch (value.kind()) {
                    case NULL -> Literal.nullOf(column.type());
                    case LITERAL -> Literal.string(value.text());
                    case CURRENT_TIMESTAMP -> {
                        int scale = value.text().isEmpty() ? 0 : Integer.parseInt(value.text());
                        long micros = DateTimes.micros(now);
                        long unit = (long) Math.pow(10, 6 - scale);
                        yield Literal.dateTime(Math.floorDiv(micros, unit) * unit, scale);
                    }
                    case CURRENT_DATE -> Literal.date(now.toLocalDate().toEpochDay());
                    case PI -> new Literal(Math.PI, DataType.DOUBLE);
                    case E -> new Literal(Math.E, DataType.DOUBLE);
                    case BITMAP_EMPTY -> throw Errors.notSupported("DEFAULT BITMAP_EMPTY", null);
                };
        return Coercion.to(plain, column.type());
    }
}
