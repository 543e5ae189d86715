// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.node;

import java.util.List;
import org.thetis.catalog.object.Backend;

/**
 * A back end as it is now: what the journal knows plus what heartbeats and reports told since this process started.
 *
 * @param lastStartMillis when the back end's process started, -1 if never heard of
 * @param processEpoch changes at each start of the back end
 * @param lastHeartbeatMillis of the last good heartbeat, -1 if none
 * @param heartbeatFailures failed heartbeats in a row
 * @param error why the last heartbeat failed, empty if it did not
 */
public record BackendState(
        Backend backend,
        boolean alive,
        long lastStartMillis,
        long processEpoch,
        long lastHeartbeatMillis,
        int heartbeatFailures,
        String error,
        String version,
        long numCores,
        long memoryBytes,
        long lastReportMillis,
        List<Disk> disks) {
    /** A data directory as last reported. */
    public record Disk(String path, long totalBytes, long availableBytes, long usedBytes, boolean used) {}

    public BackendState {
        disks = List.copyOf(disks);
    }

    public long id() {
        return backend.id();
    }

    /** May run queries. */
    public boolean isQueryable() {
        return alive && backend.brpcPort() != 0;
    }

    /** May take new tablets and loads. */
    public boolean isLoadable() {
        return isQueryable() && !backend.decommissioned();
    }

    public long totalBytes() {
        return disks.stream().mapToLong(Disk::totalBytes).sum();
    }

    public long availableBytes() {
        return disks.stream().mapToLong(Disk::availableBytes).sum();
    }

    public long usedBytes() {
        return disks.stream().mapToLong(Disk::usedBytes).sum();
    }
}
