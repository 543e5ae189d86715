// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.object;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Privileges on one scope. */
public record Grant(Scope scope, Set<Privilege> privileges) {
    public Grant {
        privileges = Set.copyOf(privileges);
    }

    /** A list of grants in which the scope also has the given privileges. */
    public static List<Grant> add(List<Grant> grants, Scope scope, Set<Privilege> added) {
        List<Grant> result = new ArrayList<>();
        Set<Privilege> all = new TreeSet<>(added);
        for (Grant grant : grants) {
            if (grant.scope.equals(scope)) {
                all.addAll(grant.privileges);
            } else {
                result.add(grant);
            }
        }
        result.add(new Grant(scope, all));
        result.sort((left, right) -> left.scope.compareTo(right.scope));
        return List.copyOf(result);
    }

    /** A list of grants in which exactly this scope lost the given privileges. */
    public static List<Grant> remove(List<Grant> grants, Scope scope, Set<Privilege> removed) {
        List<Grant> result = new ArrayList<>();
        for (Grant grant : grants) {
            Set<Privilege> left = new TreeSet<>(grant.privileges);
            if (grant.scope.equals(scope)) {
                left.removeAll(removed);
            }
            if (!left.isEmpty()) {
                result.add(new Grant(grant.scope, left));
            }
        }
        return List.copyOf(result);
    }

    /** Whether exactly this scope has all the given privileges. */
    public static boolean has(List<Grant> grants, Scope scope, Set<Privilege> wanted) {
        return grants.stream().anyMatch(grant -> grant.scope.equals(scope) && grant.privileges.containsAll(wanted));
    }
}
