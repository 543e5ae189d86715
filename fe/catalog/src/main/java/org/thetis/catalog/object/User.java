// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.object;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A user.
 *
 * @param passwordHash `*` and 40 hex digits (SHA1 of SHA1 of the password), or empty for no password
 * @param grants given to the user itself, besides those of its roles
 */
public record User(
        UserIdentity identity,
        String passwordHash,
        List<Grant> grants,
        Set<String> roles,
        Map<String, String> properties,
        boolean locked,
        String comment) {
    public User {
        grants = List.copyOf(grants);
        roles = Set.copyOf(roles);
        properties = Map.copyOf(properties);
    }

    public static User of(UserIdentity identity, String passwordHash) {
        return new User(identity, passwordHash, List.of(), Set.of(), Map.of(), false, "");
    }

    public User withPassword(String hash) {
        return new User(identity, hash, grants, roles, properties, locked, comment);
    }

    public User withGrants(List<Grant> changed) {
        return new User(identity, passwordHash, changed, roles, properties, locked, comment);
    }

    public User withRoles(Set<String> changed) {
        return new User(identity, passwordHash, grants, changed, properties, locked, comment);
    }

    public User withProperties(Map<String, String> changed) {
        return new User(identity, passwordHash, grants, roles, changed, locked, comment);
    }

    public User withLocked(boolean isLocked) {
        return new User(identity, passwordHash, grants, roles, properties, isLocked, comment);
    }

    public User withComment(String text) {
        return new User(identity, passwordHash, grants, roles, properties, locked, text);
    }
}
