// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.alter;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.base.text.NearestNames;
import org.thetis.catalog.object.Grant;
import org.thetis.catalog.object.Privilege;
import org.thetis.catalog.object.Role;
import org.thetis.catalog.object.Scope;
import org.thetis.catalog.object.User;
import org.thetis.catalog.object.UserIdentity;
import org.thetis.catalog.persist.DropRole;
import org.thetis.catalog.persist.DropUser;
import org.thetis.catalog.persist.SaveRole;
import org.thetis.catalog.persist.SaveUser;
import org.thetis.catalog.snapshot.CatalogReader;
import org.thetis.cluster.journal.Journal;

/** Users, roles and grants as journal records. Changes are made one at a time, as each replaces a whole user or role. */
public final class JournaledPrivileges implements PrivilegeCommands {
    private static final String USERS_AND_ROLES = "users and roles";
    private static final Set<String> BUILT_IN_ROLES = Set.of(Role.OPERATOR.name(), Role.ADMIN.name());

    private final Journal journal;
    private final CatalogReader catalog;
    private final Claims claims = new Claims(Duration.ofSeconds(30));

    public JournaledPrivileges(Journal journal, CatalogReader catalog) {
        this.journal = journal;
        this.catalog = catalog;
    }

    @Override
    public boolean createUser(
            UserIdentity user, boolean ifNotExists, String passwordHash, @Nullable String defaultRole, String comment) {
        try (Claims.Claim claim = claims.take(USERS_AND_ROLES)) {
            if (catalog.snapshot().users().contains(user)) {
                if (ifNotExists) {
                    return false;
                }
                throw failed("CREATE USER", user);
            }
            User created = User.of(user, passwordHash).withComment(comment);
            if (defaultRole != null) {
                created = created.withRoles(Set.of(role(defaultRole).name()));
            }
            journal.appendAndWait(new SaveUser(created));
            return true;
        }
    }

    @Override
    public boolean dropUser(UserIdentity user, boolean ifExists) {
        if (user.name().equals(UserIdentity.ROOT.name()) || user.equals(UserIdentity.ADMIN)) {
            throw new ThetisException(ErrorCode.USER_OPERATION_FAILED, "Can not drop the built-in user " + user);
        }
        try (Claims.Claim claim = claims.take(USERS_AND_ROLES)) {
            if (!catalog.snapshot().users().contains(user)) {
                if (ifExists) {
                    return false;
                }
                throw failed("DROP USER", user);
            }
            journal.appendAndWait(new DropUser(user));
            return true;
        }
    }

    private static ThetisException failed(String operation, UserIdentity user) {
        return new ThetisException(ErrorCode.USER_OPERATION_FAILED, "Operation " + operation + " failed for " + user);
    }

    private void changeUser(UserIdentity identity, UnaryOperator<User> change) {
        try (Claims.Claim claim = claims.take(USERS_AND_ROLES)) {
            User user = catalog.snapshot()
                    .users()
                    .find(identity)
                    .orElseThrow(() -> new ThetisException(
                            ErrorCode.USER_OPERATION_FAILED, "user " + identity + " does not exist"));
            journal.appendAndWait(new SaveUser(change.apply(user)));
        }
    }

    @Override
    public void setPassword(UserIdentity user, String passwordHash) {
        changeUser(user, known -> known.withPassword(passwordHash));
    }

    @Override
    public void setLocked(UserIdentity user, boolean locked) {
        changeUser(user, known -> known.withLocked(locked));
    }

    @Override
    public void setUserComment(UserIdentity user, String comment) {
        changeUser(user, known -> known.withComment(comment));
    }

    @Override
    public void setUserProperties(String userName, Map<String, String> properties) {
        try (Claims.Claim claim = claims.take(USERS_AND_ROLES)) {
            List<User> users = catalog.snapshot().users().values().stream()
                    .filter(user -> user.identity().name().equals(userName))
                    .toList();
            if (users.isEmpty()) {
                throw new ThetisException(ErrorCode.USER_OPERATION_FAILED, "user '" + userName + "' does not exist");
            }
            for (User user : users) {
                Map<String, String> all = new TreeMap<>(user.properties());
                all.putAll(properties);
                journal.appendAndWait(new SaveUser(user.withProperties(all)));
            }
        }
    }

    @Override
    public boolean createRole(String role, boolean ifNotExists, String comment) {
        try (Claims.Claim claim = claims.take(USERS_AND_ROLES)) {
            if (catalog.snapshot().roles().contains(role)) {
                if (ifNotExists) {
                    return false;
                }
                throw new ThetisException(ErrorCode.USER_OPERATION_FAILED, "Role " + role + " already exists");
            }
            if (!role.matches("[\\p{L}_][-\\p{L}\\p{N}_.@]{0,63}")) {
                throw new ThetisException(ErrorCode.INVALID_ARGUMENT, "invalid role format: " + role);
            }
            journal.appendAndWait(new SaveRole(new Role(role, List.of(), comment)));
            return true;
        }
    }

    @Override
    public boolean dropRole(String role, boolean ifExists) {
        if (BUILT_IN_ROLES.contains(role)) {
            throw new ThetisException(ErrorCode.USER_OPERATION_FAILED, "Can not drop role: " + role);
        }
        try (Claims.Claim claim = claims.take(USERS_AND_ROLES)) {
            if (!catalog.snapshot().roles().contains(role)) {
                if (ifExists) {
                    return false;
                }
                throw unknownRole(role);
            }
            journal.appendAndWait(new DropRole(role));
            return true;
        }
    }

    private Role role(String name) {
        return catalog.snapshot().roles().find(name).orElseThrow(() -> unknownRole(name));
    }

    private ThetisException unknownRole(String name) {
        return new ThetisException(
                ErrorCode.USER_OPERATION_FAILED,
                "Role " + name + " does not exist"
                        + NearestNames.suggestion(
                                name, catalog.snapshot().roles().keys()));
    }

    @Override
    public void grantToUser(UserIdentity user, Scope scope, Set<Privilege> privileges) {
        changeUser(user, known -> known.withGrants(Grant.add(known.grants(), scope, privileges)));
    }

    @Override
    public void grantToRole(String role, Scope scope, Set<Privilege> privileges) {
        checkChangeable(role);
        try (Claims.Claim claim = claims.take(USERS_AND_ROLES)) {
            Optional<Role> known = catalog.snapshot().roles().find(role);
            Role before = known.orElseGet(() -> new Role(role, List.of(), ""));
            journal.appendAndWait(new SaveRole(before.withGrants(Grant.add(before.grants(), scope, privileges))));
        }
    }

    private static void checkChangeable(String role) {
        if (BUILT_IN_ROLES.contains(role)) {
            throw new ThetisException(ErrorCode.USER_OPERATION_FAILED, "Can not grant to or revoke from role: " + role);
        }
    }

    @Override
    public void revokeFromUser(UserIdentity user, Scope scope, Set<Privilege> privileges) {
        changeUser(user, known -> {
            checkGranted(known.grants(), user.toString(), scope, privileges);
            return known.withGrants(Grant.remove(known.grants(), scope, privileges));
        });
    }

    @Override
    public void revokeFromRole(String role, Scope scope, Set<Privilege> privileges) {
        checkChangeable(role);
        try (Claims.Claim claim = claims.take(USERS_AND_ROLES)) {
            Role known = role(role);
            checkGranted(known.grants(), "role " + role, scope, privileges);
            journal.appendAndWait(new SaveRole(known.withGrants(Grant.remove(known.grants(), scope, privileges))));
        }
    }

    private static void checkGranted(List<Grant> grants, String who, Scope scope, Set<Privilege> privileges) {
        if (!Grant.has(grants, scope, privileges)) {
            throw new ThetisException(
                    ErrorCode.NO_SUCH_GRANT,
                    "There is no such grant of " + privileges + " on " + scope.show() + " for " + who);
        }
    }

    @Override
    public void grantRoles(UserIdentity user, Set<String> roles) {
        roles.forEach(this::role);
        changeUser(user, known -> {
            Set<String> all = new TreeSet<>(known.roles());
            all.addAll(roles);
            return known.withRoles(all);
        });
    }

    @Override
    public void revokeRoles(UserIdentity user, Set<String> roles) {
        changeUser(user, known -> {
            Set<String> left = new TreeSet<>(known.roles());
            if (!left.containsAll(roles)) {
                throw new ThetisException(
                        ErrorCode.NO_SUCH_GRANT, "There is no such grant of roles " + roles + " for " + user);
            }
            left.removeAll(roles);
            return known.withRoles(left);
        });
    }
}
