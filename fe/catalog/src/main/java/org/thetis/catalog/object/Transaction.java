// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.object;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;
import java.util.Map;

/**
 * A load transaction. Immutable; times that did not happen yet are -1.
 *
 * @param coordinator `FE: host` or `BE: host`
 * @param requestId identifies the caller's attempt, so that a repeated begin of the same attempt gets the same transaction
 * @param partitions versions taken at commit, empty before
 * @param tablets which back ends hold the rowset of which tablet; dropped once visible
 * @param reason why it was aborted, or what went wrong on the way
 * @param attachment row counts and the like, for SHOW LOAD and SHOW TRANSACTION
 */
public record Transaction(
        long id,
        long databaseId,
        List<Long> tableIds,
        String label,
        String coordinator,
        TransactionSource source,
        String requestId,
        TransactionStatus status,
        long timeoutMillis,
        long prepareMillis,
        long precommitMillis,
        long commitMillis,
        long finishMillis,
        List<PartitionVersion> partitions,
        List<TabletWrite> tablets,
        String reason,
        Map<String, String> attachment) {
    /** The version a partition gets from this transaction. */
    public record PartitionVersion(long tableId, long partitionId, long version) {}

    /** The back ends that finished writing a tablet. */
    public record TabletWrite(long tabletId, List<Long> backendIds) {
        public TabletWrite {
            backendIds = List.copyOf(backendIds);
        }
    }

    public Transaction {
        tableIds = List.copyOf(tableIds);
        partitions = List.copyOf(partitions);
        tablets = List.copyOf(tablets);
        attachment = Map.copyOf(attachment);
    }

    @JsonIgnore
    public boolean isRunning() {
        return !status.isFinal();
    }

    public Transaction precommitted(List<TabletWrite> writes, Map<String, String> details, long timeout, long millis) {
        return new Transaction(
                id,
                databaseId,
                tableIds,
                label,
                coordinator,
                source,
                requestId,
                TransactionStatus.PRECOMMITTED,
                timeout,
                prepareMillis,
                millis,
                -1,
                -1,
                List.of(),
                writes,
                reason,
                details);
    }

    public Transaction committed(
            List<PartitionVersion> versions, List<TabletWrite> writes, Map<String, String> details, long millis) {
        return new Transaction(
                id,
                databaseId,
                tableIds,
                label,
                coordinator,
                source,
                requestId,
                TransactionStatus.COMMITTED,
                timeoutMillis,
                prepareMillis,
                precommitMillis,
                millis,
                -1,
                versions,
                writes,
                reason,
                details);
    }

    /** Visible: which back ends wrote which tablet no longer matters. */
    public Transaction visible(long millis) {
        return new Transaction(
                id,
                databaseId,
                tableIds,
                label,
                coordinator,
                source,
                requestId,
                TransactionStatus.VISIBLE,
                timeoutMillis,
                prepareMillis,
                precommitMillis,
                commitMillis,
                millis,
                partitions,
                List.of(),
                reason,
                attachment);
    }

    public Transaction aborted(String why, long millis) {
        return new Transaction(
                id,
                databaseId,
                tableIds,
                label,
                coordinator,
                source,
                requestId,
                TransactionStatus.ABORTED,
                timeoutMillis,
                prepareMillis,
                precommitMillis,
                -1,
                millis,
                List.of(),
                List.of(),
                why,
                attachment);
    }
}
