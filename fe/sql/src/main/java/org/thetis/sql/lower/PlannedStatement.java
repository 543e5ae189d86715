// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.lower;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.schema.Tablet;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.WireExprs;
import org.thetis.sql.plan.Distribution;
import org.thetis.sql.plan.PhysicalExchange;
import org.thetis.sql.plan.PhysicalPlan;
import org.thetis.sql.plan.PhysicalScan;
import org.thetis.sql.plan.PhysicalValues;
import org.thetis.sql.plan.Plan;
import org.thetis.wire.thrift.BackendDesc;
import org.thetis.wire.thrift.ExchangeDestination;
import org.thetis.wire.thrift.ExchangeKind;
import org.thetis.wire.thrift.ExchangeSink;
import org.thetis.wire.thrift.FragmentInstance;
import org.thetis.wire.thrift.FragmentPlan;
import org.thetis.wire.thrift.PlanSink;
import org.thetis.wire.thrift.ResultSink;
import org.thetis.wire.thrift.TabletScanRange;

/** A planned query, INSERT, UPDATE or DELETE: the trees it went through and its fragments with their places. */
final class PlannedStatement implements PlannedQuery {
    /** The plan after each stage. */
    record Stages(Plan bound, Plan rewritten, PhysicalPlan physical) {}

    private final List<OutputColumn> outputs;
    private final List<TableAccess> tables;
    private final Stages stages;
    private final Placement placement;
    private final ClusterView cluster;
    private final @Nullable InsertTarget target;
    private final List<String> targetPartitions;
    private final Duration pause;
    private @Nullable Fragment built;

    PlannedStatement(
            List<OutputColumn> outputs,
            List<TableAccess> tables,
            Stages stages,
            Placement placement,
            ClusterView cluster,
            @Nullable InsertTarget target,
            List<String> targetPartitions,
            Duration pause) {
        this.outputs = List.copyOf(outputs);
        this.tables = List.copyOf(tables);
        this.stages = stages;
        this.placement = placement;
        this.cluster = cluster;
        this.target = target;
        this.targetPartitions = List.copyOf(targetPartitions);
        this.pause = pause;
    }

    @Override
    public List<OutputColumn> outputs() {
        return outputs;
    }

    @Override
    public List<TableAccess> tables() {
        return tables;
    }

    @Override
    public Duration pause() {
        return pause;
    }

    @Override
    public Optional<InsertTarget> insertTarget() {
        return Optional.ofNullable(target);
    }

    @Override
    public Optional<List<List<Literal>>> constantRows() {
        if (target != null || !(stages.physical() instanceof PhysicalValues values)) {
            return Optional.empty();
        }
        List<List<Literal>> rows = new ArrayList<>(values.data().size());
        for (List<Expr> row : values.data()) {
            List<Literal> literals = new ArrayList<>(row.size());
            for (Expr value : row) {
                if (!(value instanceof Literal literal)) {
                    return Optional.empty();
                }
                literals.add(literal);
            }
            rows.add(literals);
        }
        return Optional.of(rows);
    }

    /** Lowers on first use: a statement answered by the front end never needs fragments. */
    private synchronized Fragment root() {
        if (built == null) {
            built = new FragmentBuilder(RuntimeFilters.plan(stages.physical())).build(stages.physical());
        }
        return built;
    }

    @Override
    public int rootFragmentId() {
        return root().id();
    }

    @Override
    public long rootBackendId() {
        return placement.backends().get(0).getId();
    }

    @Override
    public List<BackendPlan> backendPlans(boolean binaryRows) {
        if (target != null) {
            throw new ThetisException(ErrorCode.INTERNAL, "an INSERT needs a transaction to run");
        }
        return assemble(PlanSink.result(new ResultSink(binaryRows)));
    }

    @Override
    public List<BackendPlan> backendPlans(LoadTransaction transaction) {
        if (target == null) {
            throw new ThetisException(ErrorCode.INTERNAL, "a query runs without a transaction");
        }
        PlanSink sink = TableSinks.sink(
                target.table(), target.columns(), target.database(), targetPartitions, cluster, transaction);
        if (!target.unconverted().isEmpty()) {
            sink.getTable().setUnconverted(target.unconverted());
        }
        // Receivers commit a tablet when all of them have closed.
        sink.getTable().setNum_senders(sites(root()).size());
        return assemble(sink);
    }

    private List<BackendDesc> sites(Fragment fragment) {
        List<BackendDesc> all = placement.backends();
        return fragment.isSingle() ? all.subList(0, 1) : all;
    }

    private List<BackendPlan> assemble(PlanSink rootSink) {
        Fragment root = root();
        List<Fragment> fragments = Fragment.inOrder(root);
        Map<Integer, Fragment> byId = new HashMap<>();
        fragments.forEach(fragment -> byId.put(fragment.id(), fragment));
        Map<Integer, FragmentPlan> plans = new HashMap<>();
        for (Fragment fragment : fragments) {
            PhysicalExchange exchange = fragment.outgoing();
            PlanSink sink = exchange == null ? rootSink : exchangeSink(fragment, exchange, byId);
            plans.put(
                    fragment.id(),
                    new FragmentPlan(fragment.id(), fragment.root().wire(), sink));
        }
        List<BackendPlan> result = new ArrayList<>();
        for (BackendDesc backend : placement.backends()) {
            List<FragmentPlan> own = new ArrayList<>();
            List<FragmentInstance> instances = new ArrayList<>();
            for (Fragment fragment : fragments) {
                int index = sites(fragment).indexOf(backend);
                FragmentPlan plan = plans.get(fragment.id());
                if (index >= 0 && plan != null) {
                    own.add(plan);
                    instances.add(instance(fragment, backend, index));
                }
            }
            if (!own.isEmpty()) {
                result.add(new BackendPlan(backend, own, instances));
            }
        }
        return result;
    }

    private PlanSink exchangeSink(Fragment sender, PhysicalExchange exchange, Map<Integer, Fragment> byId) {
        Fragment receiver = byId.get(sender.destination());
        if (receiver == null) {
            throw new ThetisException(ErrorCode.INTERNAL, "fragment " + sender.id() + " sends to none");
        }
        List<BackendDesc> sites = sites(receiver);
        Distribution target = exchange.distribution();
        ExchangeKind kind =
                switch (target.kind()) {
                    case SINGLE -> ExchangeKind.GATHER;
                    case BROADCAST -> ExchangeKind.BROADCAST;
                    case HASH -> ExchangeKind.HASH;
                    case BUCKET -> ExchangeKind.BUCKET;
                    case RANDOM -> ExchangeKind.ROUND_ROBIN;
                };
        ExchangeSink sink = new ExchangeSink(
                sender.outgoingId(),
                receiver.id(),
                kind,
                sites.stream().map(ExchangeDestination::new).toList());
        if (!target.keys().isEmpty()) {
            sink.setKeys(new WireExprs(sender.root().output()).all(target.keys()));
        }
        if (target.layout() != null) {
            List<Long> ids = sites.stream().map(BackendDesc::getId).toList();
            sink.setBucket_owner(
                    target.layout().owners().stream().map(ids::indexOf).toList());
        }
        return PlanSink.exchange(sink);
    }

    private FragmentInstance instance(Fragment fragment, BackendDesc backend, int index) {
        Map<Integer, List<TabletScanRange>> ranges = new HashMap<>();
        for (Map.Entry<Integer, PhysicalScan> scan : fragment.scans().entrySet()) {
            ranges.put(scan.getKey(), ranges(scan.getValue(), backend.getId()));
        }
        Map<Integer, Integer> senders = new HashMap<>();
        fragment.senders()
                .forEach((exchange, sender) ->
                        senders.put(exchange, sites(sender).size()));
        return new FragmentInstance(fragment.id(), ranges, senders, index);
    }

    private List<TabletScanRange> ranges(PhysicalScan scan, long backendId) {
        List<TabletScanRange> ranges = new ArrayList<>();
        for (Partition partition : scan.scan().selection().partitions()) {
            List<Tablet> tablets = partition.tablets();
            for (int bucket = 0; bucket < tablets.size(); bucket++) {
                long id = tablets.get(bucket).id();
                if (scan.scan().selection().reads(id) && placement.backendOf(id) == backendId) {
                    ranges.add(new TabletScanRange(id, partition.visibleVersion()).setBucket(bucket));
                }
            }
        }
        return ranges;
    }

    @Override
    public List<String> explain(ExplainMode mode) {
        return switch (mode) {
            case FRAGMENTS -> Explainer.fragments(root(), outputs, rootSinkLines(), false);
            case VERBOSE -> Explainer.fragments(root(), outputs, rootSinkLines(), true);
            case ANALYZED -> Explainer.tree(stages.bound());
            case REWRITTEN -> Explainer.tree(stages.rewritten());
            case OPTIMIZED -> Explainer.tree(stages.physical());
            case SHAPE -> Explainer.shape(stages.physical());
            case ALL -> {
                List<String> all = new ArrayList<>();
                all.add("========== ANALYZED PLAN ==========");
                all.addAll(Explainer.tree(stages.bound()));
                all.add("========== REWRITTEN PLAN ==========");
                all.addAll(Explainer.tree(stages.rewritten()));
                all.add("========== OPTIMIZED PLAN ==========");
                all.addAll(Explainer.tree(stages.physical()));
                yield all;
            }
        };
    }

    private List<String> rootSinkLines() {
        return target == null
                ? List.of("VRESULT SINK", "   MYSQL_PROTOCAL")
                : List.of(
                        "OLAP TABLE SINK",
                        "  TUPLE ID: 0",
                        "  RANDOM",
                        "  IS_PARTIAL_UPDATE: " + target.columns().partialUpdate());
    }
}
