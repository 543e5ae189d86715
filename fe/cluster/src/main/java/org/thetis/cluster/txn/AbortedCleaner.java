// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.txn;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.thetis.base.error.ThetisException;
import org.thetis.base.thread.PeriodicJob;
import org.thetis.cluster.node.BackendState;
import org.thetis.cluster.node.NodeService;
import org.thetis.cluster.task.AgentTasks;

/** Tells back ends, many at a time, to forget what aborted transactions wrote. What is not told is found by later reports. */
final class AbortedCleaner implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AbortedCleaner.class);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    private final NodeService nodes;
    private final AgentTasks tasks;
    private final ConcurrentLinkedQueue<Long> waiting = new ConcurrentLinkedQueue<>();
    private final PeriodicJob job = new PeriodicJob("txn-clear", () -> PAUSE, this::clear);

    AbortedCleaner(NodeService nodes, AgentTasks tasks) {
        this.nodes = nodes;
        this.tasks = tasks;
    }

    void start() {
        job.start();
    }

    void add(long transactionId) {
        waiting.add(transactionId);
    }

    private void clear() {
        List<Long> ids = new ArrayList<>();
        for (@Nullable Long id = waiting.poll(); id != null; id = waiting.poll()) {
            ids.add(id);
        }
        if (ids.isEmpty()) {
            return;
        }
        for (BackendState state : nodes.backends()) {
            if (state.alive()) {
                try {
                    tasks.clearTransactions(state.backend(), ids, DEADLINE);
                } catch (ThetisException e) {
                    LOG.warn(
                            "A back end did not clear aborted transactions: backend={} reason={}",
                            state.id(),
                            e.text());
                }
            }
        }
    }

    @Override
    public void close() {
        job.close();
    }
}
