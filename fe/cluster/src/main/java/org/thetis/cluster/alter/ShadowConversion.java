// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.alter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.thetis.base.error.ThetisException;
import org.thetis.base.thread.Clock;
import org.thetis.base.thread.Executors;
import org.thetis.catalog.object.AlterJob;
import org.thetis.catalog.object.ColumnConversion;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.TableDescriptors;
import org.thetis.catalog.persist.ChangeReplicas;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.schema.Replica;
import org.thetis.catalog.schema.Tablet;
import org.thetis.cluster.node.BackendState;
import org.thetis.cluster.node.NodeService;
import org.thetis.cluster.task.AgentTasks;
import org.thetis.wire.thrift.AlterProgress;
import org.thetis.wire.thrift.AlterState;
import org.thetis.wire.thrift.AlterTablet;
import org.thetis.wire.thrift.Expr;
import org.thetis.wire.thrift.TabletSchemaDesc;

/** Has back ends convert the history of a table's tablets into their shadows, and follows how far they are. */
public final class ShadowConversion implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ShadowConversion.class);
    private static final Duration CALL_DEADLINE = Duration.ofSeconds(10);
    private static final long LOST_MILLIS = 60_000;

    private final NodeService nodes;
    private final AgentTasks tasks;
    private final Clock clock;
    private final ExecutorService callers = Executors.growing("alter-cancel", 16);

    public ShadowConversion(NodeService nodes, AgentTasks tasks, Clock clock) {
        this.nodes = nodes;
        this.tasks = tasks;
        this.clock = clock;
    }

    /** One replica's conversion. */
    private record Work(long backendId, AlterTablet tablet) {}

    /** Prepares the conversions of a job; nothing is asked of back ends yet. */
    Progress begin(OlapTable table, AlterJob job) {
        TabletSchemaDesc schema = TableDescriptors.tabletSchema(table, table.baseIndex());
        List<Expr> expressions = ColumnConversion.expressions(
                table.columns(), table.shadowIndex().orElseThrow());
        Progress progress = new Progress(job.id());
        for (Partition partition : table.allPartitions()) {
            long version = job.versions().getOrDefault(partition.id(), Partition.FIRST_VERSION);
            List<Tablet> base = partition.indexes().get(0).tablets();
            List<Tablet> shadows = partition.indexes().get(1).tablets();
            for (int bucket = 0; bucket < base.size(); bucket++) {
                for (Replica replica : shadows.get(bucket).replicas()) {
                    progress.add(new Work(
                            replica.backendId(),
                            new AlterTablet(
                                    base.get(bucket).id(), shadows.get(bucket).id(), version, schema, expressions)));
                }
            }
        }
        return progress;
    }

    /** Tells every back end, without waiting, to stop what it does for a job. */
    void cancel(AlterJob job) {
        for (BackendState state : nodes.backends()) {
            if (state.alive()) {
                callers.execute(() -> {
                    try {
                        tasks.cancelAlter(state.backend(), job.id(), CALL_DEADLINE);
                    } catch (ThetisException e) {
                        LOG.info("A back end did not cancel: job={} reason={}", job.id(), e.text());
                    }
                });
            }
        }
    }

    /** How far the conversions of one job are. Used by one thread; others may read the text. */
    final class Progress {
        private final long jobId;
        private final Map<Long, List<Work>> left = new TreeMap<>(); // back end -> what is not done there
        private final Set<Long> asked = new HashSet<>();
        private final Map<Long, Integer> replicas = new HashMap<>(); // shadow tablet -> copies
        private final Map<Long, Integer> converted = new HashMap<>();
        private final List<Work> failed = new ArrayList<>();
        private final Map<Long, Long> unreachableSince = new HashMap<>();
        private String lastFailure = "";
        private final AtomicInteger numDone = new AtomicInteger();
        private final AtomicInteger numAll = new AtomicInteger();

        Progress(long jobId) {
            this.jobId = jobId;
        }

        private void add(Work work) {
            left.computeIfAbsent(work.backendId(), key -> new ArrayList<>()).add(work);
            replicas.merge(work.tablet().getShadow_tablet_id(), 1, Integer::sum);
            numAll.incrementAndGet();
        }

        /** Asks back ends to begin and how far they are; gives the reason when a tablet cannot be had any more. */
        Optional<String> advance() {
            for (long backendId : List.copyOf(left.keySet())) {
                Optional<BackendState> state = nodes.findBackend(backendId).filter(BackendState::alive);
                try {
                    if (state.isEmpty()) {
                        unreachable(backendId);
                        continue;
                    }
                    if (asked.add(backendId)) {
                        begin(state.get());
                    }
                    poll(state.get());
                    unreachableSince.remove(backendId);
                } catch (ThetisException e) {
                    // It may have restarted: it is asked to begin again, which is harmless when it has.
                    asked.remove(backendId);
                    lastFailure = e.text();
                    unreachable(backendId);
                }
            }
            return lost();
        }

        private void unreachable(long backendId) {
            asked.remove(backendId);
            long since = unreachableSince.computeIfAbsent(backendId, key -> clock.millis());
            if (clock.millis() - since > LOST_MILLIS && !isNeeded(backendId)) {
                List<Work> given = left.remove(backendId);
                failed.addAll(given == null ? List.of() : given);
            }
        }

        /** Whether without this back end some tablet would not have more than half of its copies. */
        private boolean isNeeded(long backendId) {
            return left.getOrDefault(backendId, List.of()).stream()
                    .map(work -> work.tablet().getShadow_tablet_id())
                    .anyMatch(tablet -> converted.getOrDefault(tablet, 0) <= replicas.getOrDefault(tablet, 1) / 2);
        }

        private void begin(BackendState state) {
            List<AlterTablet> wanted = left.getOrDefault(state.id(), List.of()).stream()
                    .map(Work::tablet)
                    .toList();
            Map<Long, String> refused = tasks.alterTablets(state.backend(), jobId, wanted, CALL_DEADLINE);
            refused.forEach((tablet, reason) -> fail(state.id(), tablet, reason));
        }

        private void poll(BackendState state) {
            List<Long> wanted = left.getOrDefault(state.id(), List.of()).stream()
                    .map(work -> work.tablet().getShadow_tablet_id())
                    .toList();
            if (wanted.isEmpty()) {
                left.remove(state.id());
                return;
            }
            Set<Long> known = new HashSet<>();
            for (AlterProgress answer : tasks.alterProgress(state.backend(), wanted, CALL_DEADLINE)) {
                long tablet = answer.getShadow_tablet_id();
                if (answer.getState() == AlterState.FINISHED) {
                    remove(state.id(), tablet);
                    converted.merge(tablet, 1, Integer::sum);
                    numDone.incrementAndGet();
                } else if (answer.getState() == AlterState.FAILED) {
                    fail(state.id(), tablet, String.valueOf(answer.getStatus().getMessage()));
                }
                if (answer.getState() != AlterState.UNKNOWN) {
                    known.add(tablet);
                }
            }
            if (!known.containsAll(wanted)) {
                asked.remove(state.id());
            }
        }

        private void fail(long backendId, long shadowTabletId, String reason) {
            LOG.warn(
                    "A tablet was not converted: job={} backend={} tablet={} reason={}",
                    jobId,
                    backendId,
                    shadowTabletId,
                    reason);
            lastFailure = reason;
            remove(backendId, shadowTabletId).ifPresent(failed::add);
        }

        private Optional<Work> remove(long backendId, long shadowTabletId) {
            List<Work> there = left.getOrDefault(backendId, List.of());
            for (Work work : there) {
                if (work.tablet().getShadow_tablet_id() == shadowTabletId) {
                    there.remove(work);
                    if (there.isEmpty()) {
                        left.remove(backendId);
                    }
                    return Optional.of(work);
                }
            }
            return Optional.empty();
        }

        /** The reason to give up: more than half of a tablet's copies are needed. */
        private Optional<String> lost() {
            Map<Long, Integer> broken = new HashMap<>();
            failed.forEach(work -> broken.merge(work.tablet().getShadow_tablet_id(), 1, Integer::sum));
            for (Map.Entry<Long, Integer> entry : broken.entrySet()) {
                int copies = replicas.getOrDefault(entry.getKey(), 1);
                if (copies - entry.getValue() <= copies / 2) {
                    return Optional.of("tablet " + entry.getKey() + " was not converted: " + lastFailure);
                }
            }
            return Optional.empty();
        }

        boolean isDone() {
            return left.isEmpty();
        }

        /** Copies that were not converted and must not be read. */
        List<ChangeReplicas.ReplicaChange> brokenReplicas(long millis) {
            return failed.stream()
                    .map(work -> new ChangeReplicas.ReplicaChange(
                            work.tablet().getShadow_tablet_id(), work.backendId(), 2, millis, true))
                    .toList();
        }

        @Override
        public String toString() {
            return numDone + "/" + numAll;
        }
    }

    @Override
    public void close() {
        Executors.stop(callers, Duration.ofMillis(200));
    }
}
