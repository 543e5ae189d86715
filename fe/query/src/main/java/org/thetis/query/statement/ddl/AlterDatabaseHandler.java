// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.ddl;

import java.util.Locale;
import java.util.Map;
import org.thetis.catalog.object.Privilege;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.ObjectName;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.ddl.AlterDatabase;
import org.thetis.sql.ast.ddl.AlterDatabaseClause;

/** ALTER DATABASE: rename, quotas, properties. */
public final class AlterDatabaseHandler implements StatementHandler<AlterDatabase> {
    private final StatementServices services;

    public AlterDatabaseHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<AlterDatabase> statementType() {
        return AlterDatabase.class;
    }

    @Override
    public StatementResult run(AlterDatabase statement, StatementContext context) {
        String name = ObjectName.database(statement.name());
        services.access().checkDatabase(context.session().identity(), name, Privilege.ALTER);
        AlterDatabaseClause clause = statement.clause();
        if (clause instanceof AlterDatabaseClause.Rename rename) {
            services.databases().rename(name, rename.name());
        } else if (clause instanceof AlterDatabaseClause.SetQuota quota) {
            services.databases()
                    .setProperties(name, Map.of(quota.kind().toLowerCase(Locale.ROOT) + "_quota", quota.value()));
        } else if (clause instanceof AlterDatabaseClause.SetProperties set) {
            services.databases().setProperties(name, set.properties());
        }
        return StatementResult.Done.NOTHING;
    }
}
