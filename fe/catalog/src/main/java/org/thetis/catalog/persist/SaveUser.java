// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.persist;

import org.thetis.catalog.object.User;
import org.thetis.catalog.snapshot.CatalogSnapshot;

/** A user was created or changed. */
public record SaveUser(User user) implements JournalRecord {
    @Override
    public CatalogSnapshot apply(CatalogSnapshot before) {
        return before.withUser(user);
    }
}
