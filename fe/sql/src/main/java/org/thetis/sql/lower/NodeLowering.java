// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.lower;

import java.util.ArrayList;
import java.util.List;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.TableDescriptors;
import org.thetis.sql.expr.AggregateCall;
import org.thetis.sql.expr.Alias;
import org.thetis.sql.expr.NamedExpr;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.expr.SortKey;
import org.thetis.sql.expr.WindowCall;
import org.thetis.sql.expr.WireExprs;
import org.thetis.sql.plan.AggregatePhase;
import org.thetis.sql.plan.JoinKind;
import org.thetis.sql.plan.LogicalAggregate;
import org.thetis.sql.plan.LogicalRepeat;
import org.thetis.sql.plan.PhysicalAggregate;
import org.thetis.sql.plan.PhysicalAssertRows;
import org.thetis.sql.plan.PhysicalFilter;
import org.thetis.sql.plan.PhysicalHashJoin;
import org.thetis.sql.plan.PhysicalLimit;
import org.thetis.sql.plan.PhysicalNestedLoopJoin;
import org.thetis.sql.plan.PhysicalPlan;
import org.thetis.sql.plan.PhysicalProject;
import org.thetis.sql.plan.PhysicalRepeat;
import org.thetis.sql.plan.PhysicalScan;
import org.thetis.sql.plan.PhysicalSort;
import org.thetis.sql.plan.PhysicalTableFunction;
import org.thetis.sql.plan.PhysicalTopN;
import org.thetis.sql.plan.PhysicalUnion;
import org.thetis.sql.plan.PhysicalValues;
import org.thetis.sql.plan.PhysicalWindow;
import org.thetis.sql.plan.ReadMode;
import org.thetis.wire.thrift.Aggregate;
import org.thetis.wire.thrift.AssertRows;
import org.thetis.wire.thrift.DataTypeDesc;
import org.thetis.wire.thrift.EmptySet;
import org.thetis.wire.thrift.Expr;
import org.thetis.wire.thrift.Filter;
import org.thetis.wire.thrift.HashJoin;
import org.thetis.wire.thrift.Limit;
import org.thetis.wire.thrift.Literal;
import org.thetis.wire.thrift.NestedLoopJoin;
import org.thetis.wire.thrift.PlanOperator;
import org.thetis.wire.thrift.Project;
import org.thetis.wire.thrift.Repeat;
import org.thetis.wire.thrift.RuntimeFilterSource;
import org.thetis.wire.thrift.RuntimeFilterTarget;
import org.thetis.wire.thrift.Sort;
import org.thetis.wire.thrift.TableFunctionScan;
import org.thetis.wire.thrift.TabletScan;
import org.thetis.wire.thrift.TopN;
import org.thetis.wire.thrift.UnionAll;
import org.thetis.wire.thrift.Window;

/** Puts one physical node on the wire, given its lowered inputs. */
final class NodeLowering {
    /** A node's wire form, its true output columns, and what it adds to its EXPLAIN lines. */
    record Operator(PlanOperator wire, List<SlotReference> output, List<String> moreLines) {
        Operator(PlanOperator wire, List<SlotReference> output) {
            this(wire, output, List.of());
        }
    }

    private final RuntimeFilters filters;

    NodeLowering(RuntimeFilters filters) {
        this.filters = filters;
    }

    Operator lower(PhysicalPlan plan, List<Fragment.Lowered> children) {
        if (plan instanceof PhysicalScan scan) {
            return scan(scan);
        }
        if (plan instanceof PhysicalValues values) {
            return values(values);
        }
        if (plan instanceof PhysicalTableFunction function) {
            var scan = new TableFunctionScan(
                    function.function().name(), function.function().properties());
            return new Operator(PlanOperator.table_function_scan(scan), function.output());
        }
        Fragment.Lowered first = children.get(0);
        if (plan instanceof PhysicalHashJoin join) {
            return hashJoin(join, first, children.get(1));
        }
        if (plan instanceof PhysicalNestedLoopJoin join) {
            return nestedLoopJoin(join, first, children.get(1));
        }
        if (plan instanceof PhysicalUnion union) {
            return union(union, children);
        }
        WireExprs input = new WireExprs(first.output());
        if (plan instanceof PhysicalFilter filter) {
            return new Operator(PlanOperator.filter(new Filter(input.all(filter.conditions()))), first.output());
        }
        if (plan instanceof PhysicalProject project) {
            return project(project, first);
        }
        if (plan instanceof PhysicalAggregate aggregate) {
            return aggregate(aggregate, input);
        }
        if (plan instanceof PhysicalSort sort) {
            return new Operator(PlanOperator.sort(new Sort(sortKeys(sort.keys(), input))), first.output());
        }
        if (plan instanceof PhysicalTopN top) {
            return new Operator(
                    PlanOperator.top_n(new TopN(sortKeys(top.keys(), input), top.limit(), top.offset())),
                    first.output());
        }
        if (plan instanceof PhysicalLimit limit) {
            return new Operator(PlanOperator.limit(new Limit(limit.limit(), limit.offset())), first.output());
        }
        if (plan instanceof PhysicalAssertRows) {
            AssertRows rows = new AssertRows(1, true).setMessage("Expected EQ 1 to be returned by expression");
            return new Operator(PlanOperator.assert_rows(rows), nullable(first.output()));
        }
        if (plan instanceof PhysicalRepeat repeat) {
            return repeat(repeat, first, input);
        }
        if (plan instanceof PhysicalWindow window) {
            return window(window, first, input);
        }
        throw new ThetisException(ErrorCode.INTERNAL, "no wire form for " + plan.nodeName());
    }

    private static List<SlotReference> nullable(List<SlotReference> slots) {
        return slots.stream().map(slot -> slot.withNullable(true)).toList();
    }

    static org.thetis.wire.thrift.SortKey sortKey(SortKey key, WireExprs input) {
        return new org.thetis.wire.thrift.SortKey(input.one(key.expression()), key.ascending(), key.nullsFirst());
    }

    private static List<org.thetis.wire.thrift.SortKey> sortKeys(List<SortKey> keys, WireExprs input) {
        return keys.stream().map(key -> sortKey(key, input)).toList();
    }

    private static SlotReference slotOf(SlotReference slot, DataTypeDesc type) {
        return slot.withNullable(type.isNullable());
    }

    private Operator scan(PhysicalScan scan) {
        var table = scan.scan().table().table();
        List<Integer> columns = new ArrayList<>();
        for (SlotReference slot : scan.output()) {
            String name = slot.origin() == null ? slot.name() : slot.origin().column();
            columns.add(table.getColumn(name).uniqueId());
        }
        TabletScan wire = new TabletScan(TableDescriptors.tabletSchema(table, table.baseIndex()), columns);
        WireExprs output = new WireExprs(scan.output());
        if (!scan.conditions().isEmpty()) {
            wire.setConjuncts(output.all(scan.conditions()));
        }
        wire.setTable_name(scan.scan().table().qualifiedName());
        ReadMode mode = scan.scan().mode();
        if (mode.skipMerge()) {
            wire.setSkip_merge(true);
        }
        if (mode.skipDeleteBitmap()) {
            wire.setSkip_delete_bitmap(true);
        }
        if (mode.skipDeletePredicate()) {
            wire.setSkip_delete_predicate(true);
        }
        if (scan.isCountOnly()) {
            wire.setCount_only(true);
        }
        List<String> lines = new ArrayList<>();
        List<RuntimeFilterTarget> targets = new ArrayList<>();
        for (RuntimeFilters.Target target : filters.targets(scan)) {
            targets.add(new RuntimeFilterTarget(target.id(), output.one(target.column())));
            lines.add(filterName(target.id()) + "[in_or_bloom] -> "
                    + target.column().sql());
        }
        if (!targets.isEmpty()) {
            wire.setRuntime_filters(targets);
        }
        return new Operator(
                PlanOperator.tablet_scan(wire),
                scan.output(),
                lines.isEmpty() ? List.of() : List.of("runtime filters: " + String.join(", ", lines)));
    }

    private static String filterName(int id) {
        return String.format("RF%03d", id);
    }

    private static Operator values(PhysicalValues values) {
        if (values.data().isEmpty()) {
            return new Operator(PlanOperator.empty_set(new EmptySet()), values.output());
        }
        ValueColumns.Lowered lowered = ValueColumns.lower(values.output(), values.data());
        return new Operator(PlanOperator.values(lowered.wire()), lowered.output());
    }

    Operator project(PhysicalProject project, Fragment.Lowered child) {
        WireExprs input = new WireExprs(child.output());
        List<Expr> expressions = input.all(project.items());
        List<SlotReference> output = new ArrayList<>();
        for (int i = 0; i < expressions.size(); i++) {
            output.add(
                    slotOf(project.items().get(i).toSlot(), expressions.get(i).getType()));
        }
        return new Operator(PlanOperator.project(new Project(expressions)), output);
    }

    private static org.thetis.wire.thrift.JoinKind kind(JoinKind kind) {
        return org.thetis.wire.thrift.JoinKind.valueOf(kind.name());
    }

    private static List<SlotReference> both(Fragment.Lowered left, Fragment.Lowered right) {
        List<SlotReference> all = new ArrayList<>(left.output());
        all.addAll(right.output());
        return all;
    }

    private Operator hashJoin(PhysicalHashJoin join, Fragment.Lowered left, Fragment.Lowered right) {
        HashJoin wire = new HashJoin(
                kind(join.kind()),
                new WireExprs(left.output()).all(join.probeKeys()),
                new WireExprs(right.output()).all(join.buildKeys()));
        if (join.nullSafe().contains(true)) {
            wire.setNull_safe(join.nullSafe());
        }
        if (!join.otherConditions().isEmpty()) {
            wire.setOther_conjuncts(new WireExprs(both(left, right)).all(join.otherConditions()));
        }
        List<String> lines = new ArrayList<>();
        List<RuntimeFilterSource> sources = new ArrayList<>();
        for (RuntimeFilters.Source source : filters.sources(join)) {
            sources.add(new RuntimeFilterSource(source.id(), source.keyIndex()));
            lines.add(filterName(source.id()) + "[in_or_bloom] <- "
                    + source.buildKey().sql());
        }
        if (!sources.isEmpty()) {
            wire.setRuntime_filters(sources);
        }
        List<SlotReference> output =
                org.thetis.sql.plan.LogicalJoin.joinOutput(join.kind(), left.output(), right.output());
        return new Operator(
                PlanOperator.hash_join(wire),
                output,
                lines.isEmpty() ? List.of() : List.of("runtime filters: " + String.join(", ", lines)));
    }

    private static Operator nestedLoopJoin(PhysicalNestedLoopJoin join, Fragment.Lowered left, Fragment.Lowered right) {
        NestedLoopJoin wire =
                new NestedLoopJoin(join.isCross() ? org.thetis.wire.thrift.JoinKind.CROSS : kind(join.kind()));
        if (!join.conditions().isEmpty()) {
            wire.setConjuncts(new WireExprs(both(left, right)).all(join.conditions()));
        }
        List<SlotReference> output =
                org.thetis.sql.plan.LogicalJoin.joinOutput(join.kind(), left.output(), right.output());
        return new Operator(PlanOperator.nested_loop_join(wire), output);
    }

    private static Operator union(PhysicalUnion union, List<Fragment.Lowered> children) {
        List<SlotReference> output = new ArrayList<>();
        for (int i = 0; i < union.output().size(); i++) {
            int column = i;
            boolean nullable = children.stream()
                    .anyMatch(child -> child.output().get(column).nullable());
            output.add(union.output().get(i).withNullable(nullable));
        }
        return new Operator(PlanOperator.union_all(new UnionAll()), output);
    }

    private static Operator aggregate(PhysicalAggregate aggregate, WireExprs input) {
        List<Expr> keys = input.all(aggregate.keys());
        List<org.thetis.wire.thrift.AggregateCall> calls = new ArrayList<>();
        List<SlotReference> planned = aggregate.output();
        List<SlotReference> output = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            output.add(slotOf(planned.get(i), keys.get(i).getType()));
        }
        for (int i = 0; i < aggregate.calls().size(); i++) {
            Alias alias = aggregate.calls().get(i);
            calls.add(call(aggregate.phase(), alias, input));
            output.add(planned.get(keys.size() + i));
        }
        var phase =
                org.thetis.wire.thrift.AggregatePhase.valueOf(aggregate.phase().name());
        return new Operator(PlanOperator.aggregate(new Aggregate(phase, keys, calls)), output);
    }

    private static org.thetis.wire.thrift.AggregateCall call(AggregatePhase phase, Alias alias, WireExprs input) {
        AggregateCall call = LogicalAggregate.function(alias);
        if (!call.orderBy().isEmpty()) {
            throw ThetisException.notSupported("ORDER BY inside " + call.name());
        }
        List<Expr> arguments =
                phase == AggregatePhase.FINAL ? List.of(input.one(alias.toSlot())) : input.all(call.arguments());
        List<DataTypeDesc> types = call.arguments().stream()
                .map(argument -> argument.type().toThrift(argument.nullable()))
                .toList();
        var wire = new org.thetis.wire.thrift.AggregateCall(
                call.name(),
                arguments,
                call.type().toThrift(call.nullable()),
                call.stateType().toThrift(call.nullable()),
                types);
        if (call.distinct()) {
            wire.setDistinct(true);
        }
        List<Literal> constants = constants(call.arguments());
        return constants.isEmpty() ? wire : wire.setConstants(constants);
    }

    private static List<Literal> constants(List<org.thetis.sql.expr.Expr> arguments) {
        List<Literal> constants = new ArrayList<>();
        for (org.thetis.sql.expr.Expr argument : arguments) {
            if (argument instanceof org.thetis.sql.expr.Literal literal) {
                constants.add(WireExprs.literal(literal));
            }
        }
        return constants;
    }

    private static Operator repeat(PhysicalRepeat repeat, Fragment.Lowered child, WireExprs input) {
        LogicalRepeat node = repeat.repeat();
        List<Integer> keys = node.keys().stream().map(input::position).toList();
        List<List<Integer>> kept = new ArrayList<>();
        List<Long> ids = new ArrayList<>();
        for (List<Integer> set : node.sets()) {
            kept.add(set.stream().map(keys::get).toList());
            ids.add(node.idOf(set));
        }
        List<SlotReference> output = new ArrayList<>();
        for (int i = 0; i < child.output().size(); i++) {
            SlotReference slot = child.output().get(i);
            output.add(keys.contains(i) ? slot.withNullable(true) : slot);
        }
        output.add(node.groupingId());
        return new Operator(PlanOperator.repeat(new Repeat(kept, keys, ids)), output);
    }

    private static Operator window(PhysicalWindow window, Fragment.Lowered child, WireExprs input) {
        WindowCall first = PhysicalWindow.function(window.calls().get(0));
        List<org.thetis.wire.thrift.WindowCall> calls = new ArrayList<>();
        List<SlotReference> output = new ArrayList<>(child.output());
        for (NamedExpr alias : window.calls()) {
            WindowCall call = PhysicalWindow.function((Alias) alias);
            List<DataTypeDesc> types = call.arguments().stream()
                    .map(argument -> argument.type().toThrift(argument.nullable()))
                    .toList();
            var wire = new org.thetis.wire.thrift.WindowCall(
                    call.name(), input.all(call.arguments()), call.type().toThrift(call.nullable()), types);
            List<Literal> constants = constants(call.arguments());
            if (!constants.isEmpty()) {
                wire.setConstants(constants);
            }
            if (call.frame() != null) {
                wire.setRows_frame(call.frame().rows());
                if (call.frame().start() != null) {
                    wire.setFrame_start(call.frame().start());
                }
                if (call.frame().end() != null) {
                    wire.setFrame_end(call.frame().end());
                }
            } else if (call.orderBy().isEmpty()) {
                wire.setWhole_partition(true);
            } else {
                wire.setRows_frame(false).setFrame_end(0);
            }
            calls.add(wire);
            output.add(alias.toSlot());
        }
        Window wire = new Window(input.all(first.partitionBy()), sortKeys(first.orderBy(), input), calls);
        return new Operator(PlanOperator.window(wire), output);
    }
}
