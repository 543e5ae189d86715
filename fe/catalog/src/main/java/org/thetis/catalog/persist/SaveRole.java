// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.persist;

import org.thetis.catalog.object.Role;
import org.thetis.catalog.snapshot.CatalogSnapshot;

/** A role was created or changed. */
public record SaveRole(Role role) implements JournalRecord {
    @Override
    public CatalogSnapshot apply(CatalogSnapshot before) {
        return before.withRole(role);
    }
}
