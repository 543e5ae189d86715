// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.node;

import java.util.List;
import org.thetis.wire.thrift.HeartbeatReply;

/** What heartbeats and reports told of one back end since this process started. Immutable. */
record Liveness(
        boolean alive,
        long startMillis,
        long processEpoch,
        long lastHeartbeatMillis,
        int failures,
        String error,
        String version,
        long numCores,
        long memoryBytes,
        long lastReportMillis,
        List<BackendState.Disk> disks) {
    static final Liveness UNKNOWN = new Liveness(false, -1, -1, -1, 0, "", "", 0, 0, -1, List.of());

    Liveness answered(HeartbeatReply reply, long now) {
        return new Liveness(
                true,
                reply.getStart_time_ms(),
                reply.getProcess_epoch(),
                now,
                0,
                "",
                reply.isSetVersion() ? reply.getVersion() : "",
                reply.getNum_cores(),
                reply.getMemory_bytes(),
                lastReportMillis,
                disks);
    }

    Liveness failed(String reason, int tolerated) {
        return new Liveness(
                alive && failures + 1 < tolerated,
                startMillis,
                processEpoch,
                lastHeartbeatMillis,
                failures + 1,
                reason,
                version,
                numCores,
                memoryBytes,
                lastReportMillis,
                disks);
    }

    Liveness reported(List<BackendState.Disk> newDisks, long now) {
        return new Liveness(
                alive,
                startMillis,
                processEpoch,
                lastHeartbeatMillis,
                failures,
                error,
                version,
                numCores,
                memoryBytes,
                now,
                newDisks);
    }
}
