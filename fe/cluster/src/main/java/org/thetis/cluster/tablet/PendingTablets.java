// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.tablet;

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tablets that are being created: back ends may report them before the catalog knows them, and they must not be taken for
 * leftovers. Thread-safe.
 */
public final class PendingTablets {
    private final Set<Long> ids = ConcurrentHashMap.newKeySet();

    public void add(Collection<Long> tabletIds) {
        ids.addAll(tabletIds);
    }

    /** Call when the catalog has the tablets, or when they were dropped again. */
    public void remove(Collection<Long> tabletIds) {
        tabletIds.forEach(ids::remove);
    }

    public boolean contains(long tabletId) {
        return ids.contains(tabletId);
    }
}
