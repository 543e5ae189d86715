// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.ddl;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.schema.AggregateKind;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.catalog.type.DataType;
import org.thetis.catalog.type.TypeId;
import org.thetis.query.result.QueryRunner;
import org.thetis.query.session.StatementContext;
import org.thetis.sql.ast.Query;
import org.thetis.sql.ast.QueryStatement;
import org.thetis.sql.ast.ddl.ColumnDefinition;
import org.thetis.sql.lower.OutputColumn;

/** The columns a query gives to the table or view that is made of it. */
final class QueryColumns {
    private QueryColumns() {}

    /** Columns with the query's types, under the names that were written for them or its own. */
    static List<SchemaColumn> of(
            QueryRunner queries, Query query, List<ColumnDefinition> written, StatementContext context) {
        List<String> names = written.stream().map(ColumnDefinition::name).toList();
        List<@Nullable String> comments = new ArrayList<>();
        written.forEach(column -> comments.add(column.comment()));
        return named(queries, query, names, comments, context);
    }

    static List<SchemaColumn> named(
            QueryRunner queries,
            Query query,
            List<String> names,
            List<@Nullable String> comments,
            StatementContext context) {
        List<OutputColumn> outputs =
                queries.plan(new QueryStatement(query, null), context).outputs();
        if (!names.isEmpty() && names.size() != outputs.size()) {
            throw new ThetisException(
                    ErrorCode.COLUMN_COUNT_MISMATCH,
                    "the query has " + outputs.size() + " columns, but " + names.size() + " names are given");
        }
        List<SchemaColumn> columns = new ArrayList<>();
        for (int i = 0; i < outputs.size(); i++) {
            OutputColumn output = outputs.get(i);
            String comment = i < comments.size() ? comments.get(i) : null;
            columns.add(new SchemaColumn(
                    0,
                    names.isEmpty() ? output.name() : names.get(i),
                    stored(output.type()),
                    output.nullable(),
                    false,
                    AggregateKind.NONE,
                    null,
                    comment == null ? "" : comment,
                    false,
                    true,
                    null));
        }
        return columns;
    }

    /** A type a column can have: NULL literals are stored as TINYINT, text of any length as VARCHAR. */
    private static DataType stored(DataType type) {
        if (type.id() == TypeId.NULL) {
            return DataType.TINYINT;
        }
        if (type.id() == TypeId.CHAR || type.id() == TypeId.VARCHAR) {
            return DataType.VARCHAR;
        }
        return type.id() == TypeId.TIME ? DataType.VARCHAR : type;
    }
}
