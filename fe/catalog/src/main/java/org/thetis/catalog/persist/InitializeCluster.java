// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.persist;

import java.util.Set;
import org.thetis.catalog.object.Role;
import org.thetis.catalog.object.User;
import org.thetis.catalog.object.UserIdentity;
import org.thetis.catalog.snapshot.CatalogSnapshot;

/** The first record: who the cluster is, its built-in roles and users. */
public record InitializeCluster(long clusterId, String token, String rootPasswordHash) implements JournalRecord {
    @Override
    public CatalogSnapshot apply(CatalogSnapshot before) {
        if (before.isInitialized()) {
            return before;
        }
        return before.withCluster(clusterId, token)
                .withRole(Role.OPERATOR)
                .withRole(Role.ADMIN)
                .withUser(User.of(UserIdentity.ROOT, rootPasswordHash).withRoles(Set.of(Role.OPERATOR.name())))
                .withUser(User.of(UserIdentity.ADMIN, "").withRoles(Set.of(Role.ADMIN.name())));
    }
}
