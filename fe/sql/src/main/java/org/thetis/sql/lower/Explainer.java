// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.lower;

import java.util.ArrayList;
import java.util.List;
import org.thetis.sql.plan.Distribution;
import org.thetis.sql.plan.JoinSpread;
import org.thetis.sql.plan.PhysicalExchange;
import org.thetis.sql.plan.PhysicalHashJoin;
import org.thetis.sql.plan.PhysicalPlan;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.plan.PlanText;

/** Texts of EXPLAIN, in the words that existing tools look for. */
final class Explainer {
    private Explainer() {}

    /** Fragments with their sinks and operators; sink lines are those of the last fragment's own sink. */
    static List<String> fragments(Fragment root, List<OutputColumn> outputs, List<String> rootSink, boolean verbose) {
        List<String> lines = new ArrayList<>();
        for (Fragment fragment : Fragment.inOrder(root)) {
            lines.add("PLAN FRAGMENT " + fragment.id());
            lines.add("  OUTPUT EXPRS:");
            if (fragment == root) {
                outputs.forEach(column -> lines.add("    " + column.name()));
            } else {
                fragment.root().output().forEach(slot -> lines.add("    " + slot.name()));
            }
            lines.add("  PARTITION: " + fragment.plan().distribution().text());
            lines.add("");
            lines.add("  HAS_COLO_PLAN_NODE: " + isColocated(fragment.root().node()));
            lines.add("");
            sink(fragment, rootSink, lines);
            lines.add("");
            node(fragment.root().node(), "  ", lines, verbose);
            lines.add("");
        }
        return lines;
    }

    private static boolean isColocated(Fragment.Node node) {
        boolean here = node.plan() instanceof PhysicalHashJoin join && join.spread() == JoinSpread.COLOCATE;
        return here || node.children().stream().anyMatch(Explainer::isColocated);
    }

    private static void sink(Fragment fragment, List<String> rootSink, List<String> lines) {
        PhysicalExchange exchange = fragment.outgoing();
        if (exchange == null) {
            rootSink.forEach(line -> lines.add("  " + line));
            return;
        }
        lines.add("  STREAM DATA SINK");
        lines.add(String.format("    EXCHANGE ID: %02d", fragment.outgoingId()));
        Distribution target = exchange.distribution();
        // The misspelt word is what existing tools look for.
        lines.add("    " + (target.kind() == Distribution.Kind.BUCKET ? "BUCKET_SHFFULE_" : "") + target.text());
    }

    private static void node(Fragment.Node node, String indent, List<String> lines, boolean verbose) {
        PhysicalPlan plan = node.plan();
        lines.add(indent + node.id() + ":" + plan.explainName() + "(" + node.id() + ")");
        boolean last = node.children().isEmpty();
        String bar = indent + (last ? "   " : "|  ");
        plan.explainLines().forEach(line -> lines.add(bar + line));
        node.moreLines().forEach(line -> lines.add(bar + line));
        if (verbose) {
            lines.add(bar + "tuple: TupleDescriptor{id=" + node.id() + "}");
            plan.output()
                    .forEach(slot -> lines.add(bar + "  SlotDescriptor{id="
                            + slot.id().value() + ", col=" + slot.name() + ", colUniqueId=null, type=" + slot.type()
                            + ", nullable=" + slot.nullable() + "}"));
        }
        if (last) {
            return;
        }
        for (int i = node.children().size() - 1; i > 0; i--) {
            lines.add(indent + "|");
            lines.add(indent + "|----");
            node(node.children().get(i), indent + "|    ", lines, verbose);
        }
        lines.add(indent + "|");
        node(node.children().get(0), indent, lines, verbose);
    }

    /** A tree, one node per line. */
    static List<String> tree(Plan plan) {
        return PlanText.tree(plan).lines().toList();
    }

    /** The physical tree with shapes only. */
    static List<String> shape(Plan plan) {
        List<String> lines = new ArrayList<>();
        lines.add("PhysicalResultSink");
        shape(plan, 1, lines);
        return lines;
    }

    private static void shape(Plan plan, int depth, List<String> lines) {
        lines.add("--".repeat(depth) + (plan instanceof PhysicalPlan physical ? physical.shape() : plan.nodeName()));
        plan.children().forEach(child -> shape(child, depth + 1, lines));
    }
}
