// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.schema;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * A copy of a tablet on one back end, as far as the journal knows it. What back ends report of it at run time (versions, rows,
 * sizes) lives in the cluster layer.
 *
 * @param lastFailedVersion the first version this replica missed, -1 when it missed none
 */
public record Replica(long id, long backendId, long lastFailedVersion, long lastFailedMillis, boolean bad) {
    public static Replica healthy(long id, long backendId) {
        return new Replica(id, backendId, -1, -1, false);
    }

    public Replica failedAt(long version, long millis) {
        return lastFailedVersion >= 0 && lastFailedVersion <= version
                ? this
                : new Replica(id, backendId, version, millis, bad);
    }

    public Replica repaired() {
        return new Replica(id, backendId, -1, -1, false);
    }

    public Replica withBad(boolean isBad) {
        return new Replica(id, backendId, lastFailedVersion, lastFailedMillis, isBad);
    }

    /** Whether it has every version up to the given one, as far as the journal knows. */
    public boolean hasVersion(long version) {
        return !bad && (lastFailedVersion < 0 || lastFailedVersion > version);
    }

    /** Whether it may count for a commit: no version is missing. */
    @JsonIgnore
    public boolean isComplete() {
        return !bad && lastFailedVersion < 0;
    }
}
