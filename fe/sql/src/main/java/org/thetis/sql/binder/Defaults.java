// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.binder;

import java.time.LocalDateTime;
import org.thetis.catalog.schema.DefaultValue;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.catalog.type.DataType;
import org.thetis.sql.expr.DateTimes;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.functions.Coercion;

/** Values of columns that a statement or a load leaves out. */
public final class Defaults {
    private Defaults() {}

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
