// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.object;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.schema.DefaultValue;
import org.thetis.catalog.schema.HiddenColumns;
import org.thetis.catalog.schema.IndexMeta;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.catalog.type.LiteralCodec;
import org.thetis.wire.thrift.Cast;
import org.thetis.wire.thrift.Expr;
import org.thetis.wire.thrift.ExprNode;
import org.thetis.wire.thrift.Literal;
import org.thetis.wire.thrift.SlotRef;

/** How rows of one index become rows of another one, as expressions for back ends. Columns are matched by unique id. */
public final class ColumnConversion {
    private ColumnConversion() {}

    /**
     * One expression for each column that a load sends to the index.
     *
     * @param input what stands at each position of the rows that come in
     */
    public static List<Expr> expressions(List<SchemaColumn> input, IndexMeta to) {
        List<Expr> expressions = new ArrayList<>();
        for (SchemaColumn column : to.columns()) {
            if (!HiddenColumns.isMadeByBackend(column)) {
                expressions.add(expression(input, column));
            }
        }
        return expressions;
    }

    /** The columns of the index that are made of what comes in; the others begin with a default. */
    public static List<SchemaColumn> madeOf(List<SchemaColumn> input, IndexMeta to) {
        return to.columns().stream()
                .filter(column -> input.stream().anyMatch(source -> source.uniqueId() == column.uniqueId()))
                .toList();
    }

    /** What makes these columns, one by one. */
    public static List<Expr> expressions(List<SchemaColumn> input, List<SchemaColumn> columns) {
        return columns.stream().map(column -> expression(input, column)).toList();
    }

    private static Expr expression(List<SchemaColumn> input, SchemaColumn column) {
        for (int i = 0; i < input.size(); i++) {
            SchemaColumn source = input.get(i);
            if (source.uniqueId() == column.uniqueId()) {
                Expr slot =
                        new Expr(ExprNode.slot(new SlotRef(i)), source.type().toThrift(source.nullable()));
                if (source.type().equals(column.type())) {
                    return slot;
                }
                Expr cast = new Expr(ExprNode.cast(new Cast()), column.type().toThrift(true));
                cast.addToChildren(slot);
                return cast;
            }
        }
        return new Expr(ExprNode.literal(initial(column)), column.type().toThrift(column.nullable()));
    }

    private static Literal initial(SchemaColumn column) {
        @Nullable DefaultValue value = column.initial() == null ? column.defaultValue() : column.initial();
        return value == null || value.kind() != DefaultValue.Kind.LITERAL
                ? new Literal(true)
                : LiteralCodec.parse(column.type(), value.text());
    }
}
