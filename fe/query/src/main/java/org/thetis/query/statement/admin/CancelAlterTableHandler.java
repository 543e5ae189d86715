// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.admin;

import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.Privilege;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.ObjectName;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.admin.CancelAlterTable;

/** CANCEL ALTER TABLE COLUMN. */
public final class CancelAlterTableHandler implements StatementHandler<CancelAlterTable> {
    private final StatementServices services;

    public CancelAlterTableHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<CancelAlterTable> statementType() {
        return CancelAlterTable.class;
    }

    @Override
    public StatementResult run(CancelAlterTable statement, StatementContext context) {
        if (!statement.kind().equals("COLUMN")) {
            throw ThetisException.notSupported("CANCEL of " + statement.kind());
        }
        ObjectName name = ObjectName.of(statement.table(), context);
        services.access().checkTable(context.session().identity(), name.database(), name.name(), Privilege.ALTER);
        services.schemaChanges().cancel(name.database(), name.name(), statement.jobIds());
        return StatementResult.Done.NOTHING;
    }
}
