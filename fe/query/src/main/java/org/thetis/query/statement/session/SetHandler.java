// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.session;

import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.NativePassword;
import org.thetis.catalog.object.Privilege;
import org.thetis.catalog.object.UserIdentity;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.Session;
import org.thetis.query.session.SessionVariables;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.VariableScope;
import org.thetis.sql.ast.session.SetItem;
import org.thetis.sql.ast.session.SetStatement;

/** SET in all its forms; items apply in order, up to the first that fails. */
public final class SetHandler implements StatementHandler<SetStatement> {
    private final StatementServices services;
    private final SetValues values;

    public SetHandler(StatementServices services) {
        this.services = services;
        this.values = new SetValues(services.queries());
    }

    @Override
    public Class<SetStatement> statementType() {
        return SetStatement.class;
    }

    @Override
    public StatementResult run(SetStatement statement, StatementContext context) {
        for (SetItem item : statement.items()) {
            apply(item, context);
        }
        return StatementResult.Done.NOTHING;
    }

    private void apply(SetItem item, StatementContext context) {
        Session session = context.session();
        if (item instanceof SetItem.Variable variable) {
            setVariable(variable, context);
        } else if (item instanceof SetItem.UserVariable variable) {
            session.setUserVariable(variable.name(), values.literal(variable.value(), context));
        } else if (item instanceof SetItem.Password password) {
            setPassword(password, session);
        } else if (item instanceof SetItem.Property property) {
            setProperty(property, session);
        }
        // SET NAMES, CHARACTER SET and TRANSACTION are accepted without effect: text is UTF-8 and statements are
        // atomic.
    }

    private void setVariable(SetItem.Variable item, StatementContext context) {
        SessionVariables variables = context.session().variables();
        boolean global = item.scope() == VariableScope.GLOBAL;
        if (global) {
            services.access().checkGlobal(context.session().identity(), Privilege.ADMIN);
        }
        if (item.value() == null) {
            variables.unset(variables.globals().catalog().get(item.name()), global);
            return;
        }
        // The name is judged before the value is computed, so that a typo is the first thing reported.
        variables.globals().catalog().get(item.name());
        String text = values.text(item.value(), context);
        if (global) {
            variables.setGlobal(item.name(), text);
        } else {
            variables.set(item.name(), text);
        }
    }

    private void setPassword(SetItem.Password item, Session session) {
        UserIdentity user = item.user() == null
                ? session.identity()
                : new UserIdentity(item.user().user(), item.user().host());
        if (!user.equals(session.identity())) {
            services.access().checkGlobal(session.identity(), Privilege.GRANT);
        }
        services.privileges()
                .setPassword(
                        user, item.hashed() ? NativePassword.checkHash(item.text()) : NativePassword.hash(item.text()));
    }

    private void setProperty(SetItem.Property item, Session session) {
        String user = item.user() == null ? session.identity().name() : item.user();
        services.access().checkGlobal(session.identity(), Privilege.ADMIN);
        item.properties().forEach(SetHandler::checkProperty);
        services.privileges().setUserProperties(user, item.properties());
    }

    private static void checkProperty(String key, String value) {
        if (key.equals("max_user_connections") && !value.matches("[1-9]\\d{0,8}")) {
            throw new ThetisException(
                    ErrorCode.INVALID_ARGUMENT, key + " must be a positive integer, not '" + value + "'");
        }
    }
}
