// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.ddl;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.object.Privilege;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.ObjectName;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.ddl.CreateView;
import org.thetis.sql.ast.ddl.ViewColumn;

/** CREATE [OR REPLACE] VIEW. The query is planned once, so that a view that cannot be read is not made. */
public final class CreateViewHandler implements StatementHandler<CreateView> {
    private final StatementServices services;

    public CreateViewHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<CreateView> statementType() {
        return CreateView.class;
    }

    @Override
    public StatementResult run(CreateView statement, StatementContext context) {
        ObjectName name = ObjectName.of(statement.name(), context);
        services.access().checkTable(context.session().identity(), name.database(), name.name(), Privilege.CREATE);
        List<String> names = statement.columns().stream().map(ViewColumn::name).toList();
        List<@Nullable String> comments = new ArrayList<>();
        statement.columns().forEach(column -> comments.add(column.comment()));
        List<SchemaColumn> columns =
                QueryColumns.named(services.queries(), statement.query(), names, comments, context);
        services.tables()
                .createView(
                        name.database(),
                        name.name(),
                        statement.ifNotExists(),
                        statement.orReplace(),
                        columns,
                        statement.queryText(),
                        statement.comment() == null ? "" : statement.comment());
        return StatementResult.Done.NOTHING;
    }
}
