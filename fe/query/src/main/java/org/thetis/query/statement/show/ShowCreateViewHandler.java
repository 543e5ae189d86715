// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.View;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.ObjectName;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.show.ShowCreateView;

/** SHOW CREATE VIEW. */
public final class ShowCreateViewHandler implements StatementHandler<ShowCreateView> {
    private final StatementServices services;

    public ShowCreateViewHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<ShowCreateView> statementType() {
        return ShowCreateView.class;
    }

    @Override
    public StatementResult run(ShowCreateView statement, StatementContext context) {
        ObjectName name = ObjectName.of(statement.view(), context);
        if (VisibleTables.get(services, context, name) instanceof View view) {
            return ViewText.result(view);
        }
        throw new ThetisException(ErrorCode.ANALYSIS, "'" + name.database() + "." + name.name() + "' is not VIEW");
    }
}
