// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.ddl;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.cluster.alter.ColumnChange;
import org.thetis.sql.ast.ddl.AlterTableClause;
import org.thetis.sql.ast.ddl.ColumnDefinition;
import org.thetis.sql.ast.ddl.ColumnPosition;

/** Clauses of ALTER TABLE that change columns, as the catalog takes them. */
final class ColumnChanges {
    private ColumnChanges() {}

    static boolean isColumnChange(AlterTableClause clause) {
        return clause instanceof AlterTableClause.AddColumn
                || clause instanceof AlterTableClause.AddColumns
                || clause instanceof AlterTableClause.DropColumn
                || clause instanceof AlterTableClause.ModifyColumn
                || clause instanceof AlterTableClause.ReorderColumns;
    }

    static List<ColumnChange> of(List<AlterTableClause> clauses) {
        List<ColumnChange> changes = new ArrayList<>();
        for (AlterTableClause clause : clauses) {
            if (clause instanceof AlterTableClause.AddColumn add) {
                refuseOptions(add.rollup(), add.properties());
                changes.add(new ColumnChange.Add(ColumnBuilder.build(add.column()), position(add.position())));
            } else if (clause instanceof AlterTableClause.AddColumns add) {
                refuseOptions(add.rollup(), add.properties());
                for (ColumnDefinition column : add.columns()) {
                    changes.add(new ColumnChange.Add(ColumnBuilder.build(column), null));
                }
            } else if (clause instanceof AlterTableClause.DropColumn drop) {
                refuseOptions(drop.rollup(), drop.properties());
                changes.add(new ColumnChange.Drop(drop.name()));
            } else if (clause instanceof AlterTableClause.ModifyColumn modify) {
                refuseOptions(modify.rollup(), modify.properties());
                changes.add(new ColumnChange.Modify(
                        ColumnBuilder.build(modify.column()),
                        modify.column().nullable() != null,
                        position(modify.position())));
            } else if (clause instanceof AlterTableClause.ReorderColumns reorder) {
                refuseOptions(reorder.rollup(), reorder.properties());
                changes.add(new ColumnChange.Reorder(reorder.columns()));
            }
        }
        return changes;
    }

    private static ColumnChange.@Nullable Position position(@Nullable ColumnPosition written) {
        return written == null ? null : new ColumnChange.Position(written.after());
    }

    private static void refuseOptions(@Nullable String rollup, Map<String, String> properties) {
        if (rollup != null) {
            throw ThetisException.notSupported("ALTER TABLE of the columns of a rollup");
        }
        properties.keySet().stream()
                .filter(key -> !key.equals("timeout"))
                .findFirst()
                .ifPresent(key -> {
                    throw new ThetisException(ErrorCode.INVALID_ARGUMENT, "Unknown properties: " + key);
                });
    }
}
