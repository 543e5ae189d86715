// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.privilege;

import org.thetis.catalog.object.UserIdentity;
import org.thetis.query.session.SqlWarning;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.privilege.PasswordPolicy;

/** Account options of CREATE and ALTER USER: locks apply, password ageing does not yet and becomes a warning. */
final class PolicyOptions {
    private PolicyOptions() {}

    static void apply(StatementServices services, UserIdentity user, PasswordPolicy policy, StatementContext context) {
        policy.options().forEach((name, value) -> {
            switch (name) {
                case "ACCOUNT_LOCK" -> services.privileges().setLocked(user, true);
                case "ACCOUNT_UNLOCK" -> services.privileges().setLocked(user, false);
                default -> context.session().addWarning(SqlWarning.of("user option " + name + " has no effect yet"));
            }
        });
    }
}
