// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.lower;

import java.util.ArrayList;
import java.util.List;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.expr.WireExprs;
import org.thetis.sql.plan.PhysicalExchange;
import org.thetis.sql.plan.PhysicalHashJoin;
import org.thetis.sql.plan.PhysicalNestedLoopJoin;
import org.thetis.sql.plan.PhysicalPlan;
import org.thetis.sql.plan.PhysicalProject;
import org.thetis.sql.plan.PhysicalScan;
import org.thetis.wire.thrift.DataTypeDesc;
import org.thetis.wire.thrift.ExchangeSource;
import org.thetis.wire.thrift.PlanNode;
import org.thetis.wire.thrift.PlanOperator;

/** Cuts a physical plan at its exchanges into fragments and puts their operators on the wire. Used once. */
final class FragmentBuilder {
    private final RuntimeFilters filters;
    private final NodeLowering nodes;
    private int nextFragment;
    private int nextNode;

    FragmentBuilder(RuntimeFilters filters) {
        this.filters = filters;
        this.nodes = new NodeLowering(filters);
    }

    /** The root fragment, which reaches the others through its exchanges. */
    Fragment build(PhysicalPlan root) {
        Fragment fragment = new Fragment(nextFragment++, root);
        fragment.finish(lower(root, fragment));
        return fragment;
    }

    private Fragment.Lowered lower(PhysicalPlan plan, Fragment fragment) {
        if (plan instanceof PhysicalExchange exchange) {
            return exchange(exchange, fragment);
        }
        if (plan instanceof PhysicalProject project && project.isSelection()) {
            // A join drops columns by itself, and a selection of everything is nothing.
            Fragment.Lowered child = lower((PhysicalPlan) project.child(), fragment);
            if (child.output().equals(project.output())) {
                return child;
            }
            boolean join =
                    project.child() instanceof PhysicalHashJoin || project.child() instanceof PhysicalNestedLoopJoin;
            return join && child.node().plan() == project.child()
                    ? selectFromJoin(project, child)
                    : finish(project, List.of(child), nodes.project(project, child));
        }
        List<Fragment.Lowered> children = new ArrayList<>();
        plan.children().forEach(child -> children.add(lower((PhysicalPlan) child, fragment)));
        Fragment.Lowered lowered = finish(plan, children, nodes.lower(plan, children));
        if (plan instanceof PhysicalScan scan) {
            fragment.scans().put(lowered.wire().getId(), scan);
        }
        return lowered;
    }

    private Fragment.Lowered finish(
            PhysicalPlan plan, List<Fragment.Lowered> children, NodeLowering.Operator operator) {
        int id = nextNode++;
        PlanNode wire = new PlanNode(id, operator.wire(), types(operator.output()));
        if (!children.isEmpty()) {
            wire.setChildren(children.stream().map(Fragment.Lowered::wire).toList());
        }
        wire.setEstimated_rows(Math.round(plan.rows()));
        List<Fragment.Node> below =
                children.stream().map(Fragment.Lowered::node).toList();
        return new Fragment.Lowered(wire, operator.output(), new Fragment.Node(id, plan, operator.moreLines(), below));
    }

    static List<DataTypeDesc> types(List<SlotReference> output) {
        return output.stream()
                .map(slot -> slot.type().toThrift(slot.nullable()))
                .toList();
    }

    /** Sets the join's output to the selected columns. */
    private static Fragment.Lowered selectFromJoin(PhysicalProject project, Fragment.Lowered join) {
        List<SlotReference> output = new ArrayList<>();
        List<Integer> positions = new ArrayList<>();
        List<SlotReference> all = join.output();
        boolean hash = project.child() instanceof PhysicalHashJoin;
        var kind =
                hash ? ((PhysicalHashJoin) project.child()).kind() : ((PhysicalNestedLoopJoin) project.child()).kind();
        // Positions count left then right columns, also where the kind gives only the right ones.
        int offset = kind.keepsLeft() ? 0 : project.child().child(0).output().size();
        for (SlotReference slot : project.output()) {
            int at = all.indexOf(slot);
            output.add(all.get(at));
            positions.add(offset + at);
        }
        PlanNode wire = join.wire();
        if (hash) {
            wire.getOp().getHash_join().setOutput_positions(positions);
        } else {
            wire.getOp().getNested_loop_join().setOutput_positions(positions);
        }
        wire.setOutput_types(types(output));
        return new Fragment.Lowered(wire, output, join.node());
    }

    private Fragment.Lowered exchange(PhysicalExchange exchange, Fragment receiver) {
        Fragment sender = new Fragment(nextFragment++, exchange.input(0));
        Fragment.Lowered child = lower(exchange.input(0), sender);
        sender.finish(child);
        int id = nextNode++;
        sender.sendTo(exchange, id, receiver.id());
        receiver.senders().put(id, sender);
        ExchangeSource source = new ExchangeSource(id);
        WireExprs input = new WireExprs(child.output());
        if (!exchange.mergeKeys().isEmpty()) {
            source.setMerge_keys(exchange.mergeKeys().stream()
                    .map(key -> NodeLowering.sortKey(key, input))
                    .toList());
        }
        if (exchange.limit() >= 0) {
            source.setLimit(exchange.limit());
        }
        if (exchange.offset() > 0) {
            source.setOffset(exchange.offset());
        }
        PlanNode wire = new PlanNode(id, PlanOperator.exchange_source(source), types(child.output()));
        wire.setEstimated_rows(Math.round(exchange.rows()));
        return new Fragment.Lowered(wire, child.output(), new Fragment.Node(id, exchange, List.of(), List.of()));
    }

    RuntimeFilters filters() {
        return filters;
    }
}
