// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.lower;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.plan.PhysicalExchange;
import org.thetis.sql.plan.PhysicalPlan;
import org.thetis.sql.plan.PhysicalScan;
import org.thetis.wire.thrift.PlanNode;

/** A fragment while it is built: its operators, what it scans and from whom it receives. */
final class Fragment {
    /** An operator as EXPLAIN prints it. */
    record Node(int id, PhysicalPlan plan, List<String> moreLines, List<Node> children) {}

    /** An operator on the wire, its true output columns, and its EXPLAIN form. */
    record Lowered(PlanNode wire, List<SlotReference> output, Node node) {}

    private final int id;
    private final PhysicalPlan plan;
    private final Map<Integer, PhysicalScan> scans = new LinkedHashMap<>();
    private final Map<Integer, Fragment> senders = new LinkedHashMap<>();
    private @Nullable Lowered root;
    private @Nullable PhysicalExchange outgoing;
    private int outgoingId;
    private int destination;

    Fragment(int id, PhysicalPlan plan) {
        this.id = id;
        this.plan = plan;
    }

    int id() {
        return id;
    }

    PhysicalPlan plan() {
        return plan;
    }

    /** Scans by plan node id. */
    Map<Integer, PhysicalScan> scans() {
        return scans;
    }

    /** Sending fragments by exchange id. */
    Map<Integer, Fragment> senders() {
        return senders;
    }

    boolean isSingle() {
        return plan.distribution().isSingle();
    }

    void finish(Lowered lowered) {
        root = lowered;
    }

    void sendTo(PhysicalExchange exchange, int exchangeId, int destinationFragment) {
        outgoing = exchange;
        outgoingId = exchangeId;
        destination = destinationFragment;
    }

    Lowered root() {
        if (root == null) {
            throw new ThetisException(ErrorCode.INTERNAL, "fragment " + id + " is not finished");
        }
        return root;
    }

    /** The exchange that the fragment feeds, or null for the last one. */
    @Nullable
    PhysicalExchange outgoing() {
        return outgoing;
    }

    int outgoingId() {
        return outgoingId;
    }

    int destination() {
        return destination;
    }

    /** Operators without children first, for printing a chain of fragments. */
    static List<Fragment> inOrder(Fragment root) {
        List<Fragment> all = new ArrayList<>();
        collect(root, all);
        all.sort(java.util.Comparator.comparingInt(Fragment::id));
        return all;
    }

    private static void collect(Fragment fragment, List<Fragment> all) {
        all.add(fragment);
        fragment.senders.values().forEach(sender -> collect(sender, all));
    }
}
