// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.snapshot;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * Holds the newest snapshot and is the only way to replace it. Changes are applied one at a time (the lock guards only that; it
 * is never held across I/O); readers never wait.
 */
public final class CatalogWriter implements CatalogReader {
    private final Object lock = new Object();

    // Written under the lock, read without: a reference to an immutable object.
    private volatile CatalogSnapshot current = CatalogSnapshot.EMPTY;

    @Override
    public CatalogSnapshot snapshot() {
        return current;
    }

    /** Applies one change and returns the catalog after it. A change that fails leaves the catalog as it was. */
    public CatalogSnapshot apply(CatalogChange change) {
        synchronized (lock) {
            CatalogSnapshot after = change.apply(current);
            replace(after);
            return after;
        }
    }

    /** Starts over from an image. */
    public void reset(CatalogSnapshot image) {
        synchronized (lock) {
            replace(image);
        }
    }

    @GuardedBy("lock")
    private void replace(CatalogSnapshot next) {
        current = next;
    }
}
