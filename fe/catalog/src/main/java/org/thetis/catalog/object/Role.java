// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.object;

import java.util.List;
import java.util.Set;

/** A named set of grants that users can be given. */
public record Role(String name, List<Grant> grants, String comment) {
    /** May do everything, running the cluster included. */
    public static final Role OPERATOR =
            new Role("operator", List.of(new Grant(Scope.GLOBAL, Set.of(Privilege.NODE, Privilege.ADMIN))), "");
    /** May do everything but run the cluster. */
    public static final Role ADMIN = new Role("admin", List.of(new Grant(Scope.GLOBAL, Set.of(Privilege.ADMIN))), "");

    public Role {
        grants = List.copyOf(grants);
    }

    public Role withGrants(List<Grant> changed) {
        return new Role(name, changed, comment);
    }
}
