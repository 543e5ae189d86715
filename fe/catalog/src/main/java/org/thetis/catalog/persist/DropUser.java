// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.persist;

import org.thetis.catalog.object.UserIdentity;
import org.thetis.catalog.snapshot.CatalogSnapshot;

/** A user was dropped. */
public record DropUser(UserIdentity user) implements JournalRecord {
    @Override
    public CatalogSnapshot apply(CatalogSnapshot before) {
        return before.withoutUser(user);
    }
}
