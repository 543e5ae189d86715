// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.task;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.Backend;
import org.thetis.catalog.schema.ColumnStatistics;
import org.thetis.cluster.node.NodeService;
import org.thetis.cluster.node.ThriftPool;
import org.thetis.wire.thrift.AlterProgress;
import org.thetis.wire.thrift.AlterTablet;
import org.thetis.wire.thrift.AlterTabletsRequest;
import org.thetis.wire.thrift.BackendService;
import org.thetis.wire.thrift.ClearTransactionsRequest;
import org.thetis.wire.thrift.CreateTablet;
import org.thetis.wire.thrift.CreateTabletsRequest;
import org.thetis.wire.thrift.DeleteDataRequest;
import org.thetis.wire.thrift.DeletePredicate;
import org.thetis.wire.thrift.DropTabletsRequest;
import org.thetis.wire.thrift.PartitionVersion;
import org.thetis.wire.thrift.PublishVersionRequest;
import org.thetis.wire.thrift.StatusReply;
import org.thetis.wire.thrift.TabletFailure;
import org.thetis.wire.thrift.TabletStatistics;
import org.thetis.wire.thrift.TabletTasksReply;

/** Work that back ends do for the front end, as synchronous calls with deadlines. All of it may be repeated. Thread-safe. */
public final class AgentTasks implements AutoCloseable {
    private final NodeService nodes;
    private final ThriftPool<BackendService.Client> clients = new ThriftPool<>(BackendService.Client::new);

    public AgentTasks(NodeService nodes) {
        this.nodes = nodes;
    }

    /** Creates tablets; gives the reason for each that failed. Fails as a whole when the back end cannot be asked. */
    public Map<Long, String> createTablets(Backend backend, List<CreateTablet> tablets, Duration deadline) {
        CreateTabletsRequest request = new CreateTabletsRequest(nodes.token(), tablets);
        return failures(backend, "create_tablets", call(backend, deadline, client -> client.create_tablets(request)));
    }

    /** Drops tablets and their files; unknown ones are fine. */
    public Map<Long, String> dropTablets(Backend backend, List<Long> tabletIds, Duration deadline) {
        DropTabletsRequest request = new DropTabletsRequest(nodes.token(), tabletIds);
        return failures(backend, "drop_tablets", call(backend, deadline, client -> client.drop_tablets(request)));
    }

    /** Makes a transaction's rowsets part of their tablets; gives the reason for each tablet that failed. */
    public Map<Long, String> publishVersion(
            Backend backend, long transactionId, List<PartitionVersion> partitions, Duration deadline) {
        PublishVersionRequest request = new PublishVersionRequest(nodes.token(), transactionId, partitions);
        return failures(backend, "publish_version", call(backend, deadline, client -> client.publish_version(request)));
    }

    /** Leaves a condition in tablets that hides the rows it matches, under a transaction; gives the reason for each that failed. */
    public Map<Long, String> deleteData(
            Backend backend, long transactionId, List<Long> tabletIds, DeletePredicate predicate, Duration deadline) {
        DeleteDataRequest request = new DeleteDataRequest(nodes.token(), transactionId, tabletIds, predicate);
        return failures(backend, "delete_data", call(backend, deadline, client -> client.delete_data(request)));
    }

    /** Forgets what aborted transactions wrote. */
    public void clearTransactions(Backend backend, List<Long> transactionIds, Duration deadline) {
        ClearTransactionsRequest request = new ClearTransactionsRequest(nodes.token(), transactionIds);
        StatusReply status = call(backend, deadline, client -> client.clear_transactions(request));
        if (status.getCode() != 0) {
            throw refused(backend, "clear_transactions", status);
        }
    }

    /** Starts or resumes conversions of a schema change; gives the reason for each tablet that cannot start. */
    public Map<Long, String> alterTablets(Backend backend, long jobId, List<AlterTablet> tablets, Duration deadline) {
        AlterTabletsRequest request = new AlterTabletsRequest(nodes.token(), jobId, tablets);
        return failures(backend, "alter_tablets", call(backend, deadline, client -> client.alter_tablets(request)));
    }

    /** Where conversions stand; a tablet the back end knows nothing of is UNKNOWN or absent. */
    public List<AlterProgress> alterProgress(Backend backend, List<Long> shadowTabletIds, Duration deadline) {
        return call(backend, deadline, client -> client.alter_progress(shadowTabletIds));
    }

    /** Stops the conversions of a job. */
    public void cancelAlter(Backend backend, long jobId, Duration deadline) {
        StatusReply status = call(backend, deadline, client -> client.cancel_alter(nodes.token(), jobId));
        if (status.getCode() != 0) {
            throw refused(backend, "cancel_alter", status);
        }
    }

    /** What tablets on a back end know of columns, together, by the columns' unique ids. */
    public Map<Integer, ColumnStatistics> columnStatistics(
            Backend backend, List<Long> tabletIds, List<Integer> uniqueIds, Duration deadline) {
        TabletStatistics reply = call(backend, deadline, client -> client.get_tablet_statistics(tabletIds, uniqueIds));
        Map<Integer, ColumnStatistics> byColumn = new HashMap<>();
        if (reply.isSetColumns()) {
            for (org.thetis.wire.thrift.ColumnStatistics column : reply.getColumns()) {
                boolean bounded = column.isSetMin() && column.isSetMax();
                byColumn.merge(
                        column.getColumn_unique_id(),
                        new ColumnStatistics(
                                bounded ? (Double) column.getMin() : null,
                                bounded ? (Double) column.getMax() : null,
                                column.getNum_distinct()),
                        ColumnStatistics::with);
            }
        }
        return byColumn;
    }

    private <R> R call(Backend backend, Duration deadline, ThriftPool.Call<BackendService.Client, R> call) {
        if (backend.bePort() == 0) {
            throw ThetisException.of(
                    ErrorCode.RPC_ERROR, "back end %d (%s) has not told its ports yet", backend.id(), backend.host());
        }
        return clients.call(backend.host(), backend.bePort(), deadline, call);
    }

    private static Map<Long, String> failures(Backend backend, String task, TabletTasksReply reply) {
        Map<Long, String> failures = new HashMap<>();
        if (reply.isSetFailures()) {
            for (TabletFailure failure : reply.getFailures()) {
                failures.put(
                        failure.getTablet_id(),
                        String.valueOf(failure.getStatus().getMessage()));
            }
        }
        if (failures.isEmpty() && reply.getStatus().getCode() != 0) {
            throw refused(backend, task, reply.getStatus());
        }
        return failures;
    }

    private static ThetisException refused(Backend backend, String task, StatusReply status) {
        ErrorCode code = ErrorCode.of(status.getCode()).orElse(ErrorCode.INTERNAL);
        return new ThetisException(
                code,
                task + " on back end " + backend.id() + " (" + backend.host() + ") failed: " + status.getMessage());
    }

    @Override
    public void close() {
        clients.close();
    }
}
