// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.privilege;

import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.thetis.base.collection.PersistentSortedMap;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.Grant;
import org.thetis.catalog.object.Privilege;
import org.thetis.catalog.object.Role;
import org.thetis.catalog.object.Scope;
import org.thetis.catalog.object.User;
import org.thetis.catalog.object.UserIdentity;

/** The only place that decides who may do what, over one version of users and roles. */
public record AccessChecker(PersistentSortedMap<UserIdentity, User> users, PersistentSortedMap<String, Role> roles) {
    /** The user that a login of this name from this address is: the most specific host pattern wins. */
    public Optional<User> matchUser(String name, String address) {
        User best = null;
        Comparator<User> order = Comparator.comparingInt(user -> user.identity().specificity());
        for (Map.Entry<UserIdentity, User> entry : users) {
            UserIdentity identity = entry.getKey();
            if (identity.name().equals(name)
                    && identity.matchesHost(address)
                    && (best == null || order.compare(entry.getValue(), best) > 0)) {
                best = entry.getValue();
            }
        }
        return Optional.ofNullable(best);
    }

    /** Whether the user has the privilege on all of the scope. ADMIN stands for everything but NODE. */
    public boolean has(UserIdentity user, Scope scope, Privilege privilege) {
        return anyGrant(user, grant -> grant.scope().covers(scope) && implies(grant, privilege));
    }

    /** Whether the user has any of the privileges on all of the scope. */
    public boolean hasAny(UserIdentity user, Scope scope, Privilege... privileges) {
        for (Privilege privilege : privileges) {
            if (has(user, scope, privilege)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the user has any privilege on something inside the scope, so that SHOW may list it. */
    public boolean canSee(UserIdentity user, Scope scope) {
        return anyGrant(
                user,
                grant -> grant.scope().touches(scope) && !grant.privileges().isEmpty());
    }

    private static boolean implies(Grant grant, Privilege privilege) {
        return grant.privileges().contains(privilege)
                || (privilege != Privilege.NODE && grant.privileges().contains(Privilege.ADMIN));
    }

    private boolean anyGrant(UserIdentity identity, Predicate<Grant> test) {
        @Nullable User user = users.get(identity);
        if (user == null) {
            return false;
        }
        if (user.grants().stream().anyMatch(test)) {
            return true;
        }
        for (String name : user.roles()) {
            @Nullable Role role = roles.get(name);
            if (role != null && role.grants().stream().anyMatch(test)) {
                return true;
            }
        }
        return false;
    }

    /** Fails unless the user has the privilege on the table. */
    public void checkTable(UserIdentity user, String database, String table, Privilege privilege) {
        if (!has(user, Scope.table(database, table), privilege)) {
            throw new ThetisException(
                    ErrorCode.ACCESS_DENIED_TABLE,
                    privilege.name().toUpperCase(Locale.ROOT) + " command denied to user " + user + " for table '"
                            + database + ": " + table + "'");
        }
    }

    /** Fails unless the user has the privilege on the database. */
    public void checkDatabase(UserIdentity user, String database, Privilege privilege) {
        if (!has(user, Scope.database(database), privilege)) {
            throw deniedDatabase(user, database);
        }
    }

    /** Fails unless the user may see something of the database, as USE demands. */
    public void checkDatabaseVisible(UserIdentity user, String database) {
        if (!canSee(user, Scope.database(database))) {
            throw deniedDatabase(user, database);
        }
    }

    private static ThetisException deniedDatabase(UserIdentity user, String database) {
        return new ThetisException(
                ErrorCode.ACCESS_DENIED_DATABASE, "Access denied for user " + user + " to database '" + database + "'");
    }

    /** Fails unless the user has the privilege everywhere. */
    public void checkGlobal(UserIdentity user, Privilege privilege) {
        if (!has(user, Scope.GLOBAL, privilege)) {
            throw new ThetisException(
                    ErrorCode.ACCESS_DENIED_SPECIFIC,
                    "Access denied; you need (at least one of) the (" + privilege.sql()
                            + ") privilege(s) for this operation");
        }
    }
}
