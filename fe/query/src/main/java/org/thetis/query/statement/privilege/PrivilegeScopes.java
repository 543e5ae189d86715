// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.privilege;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.Privilege;
import org.thetis.catalog.object.Scope;
import org.thetis.catalog.object.UserIdentity;
import org.thetis.catalog.privilege.AccessChecker;
import org.thetis.query.session.Session;
import org.thetis.query.session.StatementContext;
import org.thetis.sql.ast.privilege.PrivilegeItem;
import org.thetis.sql.ast.privilege.PrivilegeScope;

/** What GRANT and REVOKE name, in terms of the catalog. */
final class PrivilegeScopes {
    private PrivilegeScopes() {}

    /** `*`, `db.*`, `db.table`, or with a catalog in front; a bare table is one of the current database. */
    static Scope of(PrivilegeScope written, StatementContext context) {
        if (!written.kind().equals("TABLE")) {
            throw ThetisException.notSupported("privileges on " + written.kind());
        }
        List<String> parts = written.name();
        return switch (parts.size()) {
            case 1 ->
                parts.get(0).equals(Scope.ANY)
                        ? Scope.GLOBAL
                        : Scope.table(context.session().requireDatabase(), parts.get(0));
            case 2 ->
                parts.get(0).equals(Scope.ANY)
                        ? Scope.GLOBAL
                        : new Scope(Session.INTERNAL_CATALOG, parts.get(0), parts.get(1));
            case 3 -> new Scope(parts.get(0), parts.get(1), parts.get(2));
            default ->
                throw new ThetisException(ErrorCode.ANALYSIS, "not a privilege scope: " + String.join(".", parts));
        };
    }

    static Set<Privilege> privileges(List<PrivilegeItem> items) {
        EnumSet<Privilege> privileges = EnumSet.noneOf(Privilege.class);
        for (PrivilegeItem item : items) {
            if (!item.columns().isEmpty()) {
                throw ThetisException.notSupported("column privileges");
            }
            String name = item.name().toUpperCase(Locale.ROOT);
            if (name.equals("ALL") || name.equals("ALL PRIVILEGES")) {
                privileges.addAll(Privilege.all());
            } else {
                privileges.add(Privilege.parse(name));
            }
        }
        return privileges;
    }

    /** Whoever grants needs GRANT on all of the scope. */
    static void checkMayGrant(AccessChecker checker, UserIdentity user, Scope scope) {
        if (!checker.has(user, scope, Privilege.GRANT)) {
            throw new ThetisException(
                    ErrorCode.ACCESS_DENIED_SPECIFIC,
                    "Access denied; you need (at least one of) the (" + Privilege.GRANT.sql()
                            + ") privilege(s) for this operation");
        }
    }
}
