// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.persist;

import java.util.Set;
import java.util.TreeSet;
import org.thetis.catalog.object.User;
import org.thetis.catalog.snapshot.CatalogSnapshot;

/** A role was dropped; users lose it. */
public record DropRole(String role) implements JournalRecord {
    @Override
    public CatalogSnapshot apply(CatalogSnapshot before) {
        CatalogSnapshot after = before.withoutRole(role);
        for (User user : before.users().values()) {
            if (user.roles().contains(role)) {
                Set<String> left = new TreeSet<>(user.roles());
                left.remove(role);
                after = after.withUser(user.withRoles(left));
            }
        }
        return after;
    }
}
