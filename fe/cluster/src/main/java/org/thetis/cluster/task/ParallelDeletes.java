// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.task;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.base.thread.Executors;
import org.thetis.catalog.object.Backend;
import org.thetis.catalog.schema.Replica;
import org.thetis.catalog.schema.Tablet;
import org.thetis.cluster.node.BackendState;
import org.thetis.cluster.node.NodeService;
import org.thetis.wire.thrift.DeletePredicate;
import org.thetis.wire.thrift.TabletCommit;

/** Asks each back end once for all its replicas. */
public final class ParallelDeletes implements DeleteTasks, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ParallelDeletes.class);

    private final NodeService nodes;
    private final AgentTasks tasks;
    private final ExecutorService callers = Executors.fixed("delete-tasks", 32);

    public ParallelDeletes(NodeService nodes, AgentTasks tasks) {
        this.nodes = nodes;
        this.tasks = tasks;
    }

    @Override
    public List<TabletCommit> delete(
            long transactionId, List<Tablet> tablets, DeletePredicate predicate, Duration deadline) {
        Map<Long, List<Long>> tabletsByBackend = new TreeMap<>();
        for (Tablet tablet : tablets) {
            for (Replica replica : tablet.replicas()) {
                if (!replica.bad()) {
                    tabletsByBackend
                            .computeIfAbsent(replica.backendId(), id -> new ArrayList<>())
                            .add(tablet.id());
                }
            }
        }
        List<CompletableFuture<List<TabletCommit>>> calls = new ArrayList<>();
        List<ThetisException> failures = new ArrayList<>();
        for (BackendState state : nodes.backends()) {
            List<Long> ids = tabletsByBackend.getOrDefault(state.backend().id(), List.of());
            if (!ids.isEmpty() && state.alive()) {
                calls.add(CompletableFuture.supplyAsync(
                        () -> one(state.backend(), transactionId, ids, predicate, deadline), callers));
            }
        }
        List<TabletCommit> commits = new ArrayList<>();
        for (CompletableFuture<List<TabletCommit>> call : calls) {
            try {
                commits.addAll(call.join());
            } catch (CompletionException failure) {
                ThetisException reason = failure.getCause() instanceof ThetisException known
                        ? known
                        : new ThetisException(ErrorCode.INTERNAL, "delete failed", failure.getCause());
                LOG.warn("a back end did not delete txn={} reason={}", transactionId, reason.text());
                failures.add(reason);
            }
        }
        if (commits.isEmpty() && !failures.isEmpty()) {
            throw failures.get(0);
        }
        return commits;
    }

    private List<TabletCommit> one(
            Backend backend, long transactionId, List<Long> ids, DeletePredicate predicate, Duration deadline) {
        Map<Long, String> failed = tasks.deleteData(backend, transactionId, ids, predicate, deadline);
        if (failed.size() == ids.size()) {
            throw new ThetisException(
                    ErrorCode.INSERT_FAILED,
                    "back end " + backend.id() + " deleted nothing: "
                            + failed.values().iterator().next());
        }
        return ids.stream()
                .filter(id -> !failed.containsKey(id))
                .map(id -> new TabletCommit(id, backend.id()))
                .toList();
    }

    @Override
    public void close() {
        callers.shutdownNow();
    }
}
