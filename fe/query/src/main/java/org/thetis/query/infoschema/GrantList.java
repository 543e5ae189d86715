// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.infoschema;

import java.util.ArrayList;
import java.util.List;
import org.thetis.catalog.object.Grant;
import org.thetis.catalog.object.Privilege;
import org.thetis.catalog.object.Scope;
import org.thetis.catalog.object.User;
import org.thetis.catalog.object.UserIdentity;

/** Grants at one level as the privilege tables list them: one line per user, scope and privilege. */
final class GrantList {
    /** One line. */
    record Granted(String grantee, Scope scope, String privilege, String grantable) {}

    private GrantList() {}

    /** The user's own grants; everybody's for users who may grant. */
    static List<Granted> of(SchemaTableContext context, Scope.Level level) {
        UserIdentity own = context.statement().session().identity();
        boolean all = context.catalog().accessChecker().has(own, Scope.GLOBAL, Privilege.GRANT);
        List<Granted> lines = new ArrayList<>();
        for (User user : context.catalog().users().values()) {
            if (!all && !user.identity().equals(own)) {
                continue;
            }
            List<Grant> grants = new ArrayList<>(user.grants());
            user.roles()
                    .forEach(name ->
                            context.catalog().roles().find(name).ifPresent(role -> grants.addAll(role.grants())));
            for (Grant grant : grants) {
                if (grant.scope().level() == level) {
                    boolean grantable = grant.privileges().contains(Privilege.GRANT);
                    grant.privileges().stream()
                            .sorted()
                            .forEach(privilege -> lines.add(new Granted(
                                    user.identity().toString(),
                                    grant.scope(),
                                    privilege.name(),
                                    grantable ? "YES" : "NO")));
                }
            }
        }
        return lines;
    }
}
