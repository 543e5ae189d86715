// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.task;

import java.time.Duration;
import java.util.List;
import org.thetis.catalog.schema.Tablet;
import org.thetis.wire.thrift.DeletePredicate;
import org.thetis.wire.thrift.TabletCommit;

/** Deletes by condition on back ends. Thread-safe. */
public interface DeleteTasks {
    /**
     * Leaves the condition in every replica of the tablets as a part of the transaction, on all back ends at once. Gives the
     * replicas that have it; those that failed are missing, and whether enough are left is for the commit to say.
     */
    List<TabletCommit> delete(long transactionId, List<Tablet> tablets, DeletePredicate predicate, Duration deadline);
}
