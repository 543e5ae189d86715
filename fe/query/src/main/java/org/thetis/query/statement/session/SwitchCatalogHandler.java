// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.session;

import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.ObjectName;
import org.thetis.query.statement.StatementHandler;
import org.thetis.sql.ast.session.SwitchCatalog;

/** SWITCH catalog: there is one, the internal one. */
public final class SwitchCatalogHandler implements StatementHandler<SwitchCatalog> {
    @Override
    public Class<SwitchCatalog> statementType() {
        return SwitchCatalog.class;
    }

    @Override
    public StatementResult run(SwitchCatalog statement, StatementContext context) {
        ObjectName.checkCatalog(statement.catalog());
        return StatementResult.Done.NOTHING;
    }
}
