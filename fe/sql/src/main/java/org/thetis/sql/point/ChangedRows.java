// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.point;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.SourcePosition;
import org.thetis.sql.ast.Expression;
import org.thetis.sql.ast.NamedQuery;
import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Query;
import org.thetis.sql.ast.QueryBody;
import org.thetis.sql.ast.QueryStatement;
import org.thetis.sql.ast.Relation;
import org.thetis.sql.ast.SelectItem;
import org.thetis.sql.ast.Statement;
import org.thetis.sql.ast.dml.Delete;
import org.thetis.sql.ast.dml.Update;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.lower.Planner;
import org.thetis.sql.lower.PlannerContext;

/** The SELECT inside an UPDATE or DELETE: what it has to know of the rows it changes. */
final class ChangedRows {
    private ChangedRows() {}

    /** The query of the columns that the statement reads, under its condition; fails for one that reads more than its table. */
    static QueryStatement query(Statement change, Planner planner, PlannerContext context) {
        if (change instanceof Update update) {
            return query(
                    update.with(), update.table(), update.alias(), update.where(), columns(change, planner, context));
        }
        if (change instanceof Delete delete) {
            return query(
                    delete.with(), delete.table(), delete.alias(), delete.where(), columns(change, planner, context));
        }
        throw new NotByKey("it is neither a query nor a change of rows");
    }

    private static List<SlotReference> columns(Statement change, Planner planner, PlannerContext context) {
        List<SlotReference> columns = planner.columnsRead(change, context);
        if (columns.isEmpty()) {
            throw new NotByKey("it reads more than its table, or no rows at all");
        }
        for (SlotReference column : columns) {
            boolean held =
                    switch (column.type().id()) {
                        case BOOLEAN,
                                TINYINT,
                                SMALLINT,
                                INT,
                                BIGINT,
                                LARGEINT,
                                FLOAT,
                                DOUBLE,
                                DECIMAL,
                                DATE,
                                DATETIME,
                                CHAR,
                                VARCHAR,
                                STRING -> true;
                        default -> false;
                    };
            if (!held) {
                throw new NotByKey("it computes with column " + column.name() + " of type " + column.type());
            }
        }
        return columns;
    }

    private static QueryStatement query(
            List<NamedQuery> with,
            QualifiedName name,
            @Nullable String alias,
            @Nullable Expression where,
            List<SlotReference> columns) {
        SourcePosition position = name.position();
        Relation table = new Relation.Table(
                position, name, alias, List.of(), null, null, null, List.of(), null, null, Map.of(), List.of());
        List<SelectItem> items = new ArrayList<>();
        for (SlotReference column : columns) {
            items.add(new SelectItem.Single(
                    new Expression.ColumnReference(position, List.of(column.name())), null, column.name()));
        }
        QueryBody body = new QueryBody.Select(position, List.of(), false, items, table, where, null, null, null);
        return new QueryStatement(new Query(position, with, body, List.of(), null), null);
    }
}
