// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.session;

import org.thetis.catalog.object.Privilege;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.session.Variable;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.VariableScope;
import org.thetis.sql.ast.session.UnsetVariable;

/** UNSET VARIABLE name or ALL. */
public final class UnsetVariableHandler implements StatementHandler<UnsetVariable> {
    private final StatementServices services;

    public UnsetVariableHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<UnsetVariable> statementType() {
        return UnsetVariable.class;
    }

    @Override
    public StatementResult run(UnsetVariable statement, StatementContext context) {
        boolean global = statement.scope() == VariableScope.GLOBAL;
        if (global) {
            services.access().checkGlobal(context.session().identity(), Privilege.ADMIN);
        }
        String name = statement.name();
        if (name != null) {
            context.session()
                    .variables()
                    .unset(context.variables().globals().catalog().get(name), global);
            return StatementResult.Done.NOTHING;
        }
        for (Variable variable : context.variables().globals().catalog().all()) {
            if (variable.scope() != Variable.Scope.READ_ONLY) {
                context.session().variables().unset(variable, global);
            }
        }
        return StatementResult.Done.NOTHING;
    }
}
