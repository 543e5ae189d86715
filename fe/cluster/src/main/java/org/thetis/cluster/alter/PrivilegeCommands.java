// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.alter;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.object.Privilege;
import org.thetis.catalog.object.Scope;
import org.thetis.catalog.object.UserIdentity;

/** Changes to users, roles and what they may do. The caller checks that it may. */
public interface PrivilegeCommands {
    /** Creates a user; `passwordHash` in stored form. Gives false when it exists and `ifNotExists`. */
    boolean createUser(
            UserIdentity user, boolean ifNotExists, String passwordHash, @Nullable String defaultRole, String comment);

    /** Gives whether there was one. root and admin cannot be dropped. */
    boolean dropUser(UserIdentity user, boolean ifExists);

    void setPassword(UserIdentity user, String passwordHash);

    void setLocked(UserIdentity user, boolean locked);

    void setUserComment(UserIdentity user, String comment);

    /** Adds or replaces user properties such as max_user_connections. */
    void setUserProperties(String userName, Map<String, String> properties);

    boolean createRole(String role, boolean ifNotExists, String comment);

    boolean dropRole(String role, boolean ifExists);

    void grantToUser(UserIdentity user, Scope scope, Set<Privilege> privileges);

    /** A role that does not exist is created. */
    void grantToRole(String role, Scope scope, Set<Privilege> privileges);

    /** Fails with NO_SUCH_GRANT unless exactly this scope has all the privileges. */
    void revokeFromUser(UserIdentity user, Scope scope, Set<Privilege> privileges);

    void revokeFromRole(String role, Scope scope, Set<Privilege> privileges);

    void grantRoles(UserIdentity user, Set<String> roles);

    void revokeRoles(UserIdentity user, Set<String> roles);
}
