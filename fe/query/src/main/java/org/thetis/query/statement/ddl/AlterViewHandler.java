// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.ddl;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.Privilege;
import org.thetis.catalog.object.View;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.ObjectName;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.Query;
import org.thetis.sql.ast.ddl.AlterView;
import org.thetis.sql.ast.ddl.ViewColumn;

/** ALTER VIEW: a new query, or a new comment. */
public final class AlterViewHandler implements StatementHandler<AlterView> {
    private final StatementServices services;

    public AlterViewHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<AlterView> statementType() {
        return AlterView.class;
    }

    @Override
    public StatementResult run(AlterView statement, StatementContext context) {
        ObjectName name = ObjectName.of(statement.name(), context);
        services.access().checkTable(context.session().identity(), name.database(), name.name(), Privilege.ALTER);
        if (!(services.snapshot().getTable(name.database(), name.name()) instanceof View view)) {
            throw new ThetisException(
                    ErrorCode.ANALYSIS, "'" + name.database() + "." + name.name() + "' is not a view");
        }
        Query query = statement.query();
        String queryText = statement.queryText();
        List<SchemaColumn> columns = view.columns();
        if (query != null) {
            List<String> names =
                    statement.columns().stream().map(ViewColumn::name).toList();
            List<@Nullable String> comments = new ArrayList<>();
            statement.columns().forEach(column -> comments.add(column.comment()));
            columns = QueryColumns.named(services.queries(), query, names, comments, context);
        }
        services.tables()
                .alterView(
                        name.database(),
                        name.name(),
                        columns,
                        queryText == null ? view.query() : queryText,
                        statement.comment() == null ? view.comment() : statement.comment());
        return StatementResult.Done.NOTHING;
    }
}
