// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.tablet;

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tablets that back ends report and the catalog does not have, but that are no leftovers: those being created, and those that are
 * dropped in a while. Thread-safe.
 */
public final class PendingTablets {
    private final Set<Long> ids = ConcurrentHashMap.newKeySet();

    public void add(Collection<Long> tabletIds) {
        ids.addAll(tabletIds);
    }

    /** Call when the catalog has the tablets, or when they were dropped. */
    public void remove(Collection<Long> tabletIds) {
        tabletIds.forEach(ids::remove);
    }

    public boolean contains(long tabletId) {
        return ids.contains(tabletId);
    }
}
