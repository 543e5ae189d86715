// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.lower;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.thetis.sql.expr.Alias;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.NamedExpr;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.plan.JoinKind;
import org.thetis.sql.plan.PhysicalAggregate;
import org.thetis.sql.plan.PhysicalFilter;
import org.thetis.sql.plan.PhysicalHashJoin;
import org.thetis.sql.plan.PhysicalNestedLoopJoin;
import org.thetis.sql.plan.PhysicalProject;
import org.thetis.sql.plan.PhysicalScan;
import org.thetis.sql.plan.Plan;

/**
 * Filters that hash joins build from their build keys for scans on their probe side, where both are in one fragment. A filter is
 * placed where the probe key is a scan's column and every operator between passes rows on unpadded, or groups them by that column.
 */
final class RuntimeFilters {
    /** A filter made from one key of a join. */
    record Source(int id, int keyIndex, Expr buildKey) {}

    /** A filter applied to a column of a scan. */
    record Target(int id, SlotReference column) {}

    private final IdentityHashMap<PhysicalHashJoin, List<Source>> sources = new IdentityHashMap<>();
    private final IdentityHashMap<PhysicalScan, List<Target>> targets = new IdentityHashMap<>();
    private int next;

    static RuntimeFilters none() {
        return new RuntimeFilters();
    }

    static RuntimeFilters plan(Plan root) {
        RuntimeFilters filters = new RuntimeFilters();
        filters.visit(root);
        return filters;
    }

    List<Source> sources(PhysicalHashJoin join) {
        return sources.getOrDefault(join, List.of());
    }

    List<Target> targets(PhysicalScan scan) {
        return targets.getOrDefault(scan, List.of());
    }

    private void visit(Plan plan) {
        plan.children().forEach(this::visit);
        if (plan instanceof PhysicalHashJoin join && dropsUnmatchedProbeRows(join.kind())) {
            for (int i = 0; i < join.probeKeys().size(); i++) {
                if (!join.nullSafe().get(i) && join.probeKeys().get(i) instanceof SlotReference slot) {
                    place(join, i, slot);
                }
            }
        }
    }

    private static boolean dropsUnmatchedProbeRows(JoinKind kind) {
        return switch (kind) {
            case INNER, LEFT_SEMI, RIGHT_OUTER, RIGHT_SEMI, RIGHT_ANTI -> true;
            default -> false;
        };
    }

    private void place(PhysicalHashJoin join, int key, SlotReference slot) {
        List<Target> found = new ArrayList<>();
        int id = next;
        descend(join.left(), slot, id, found);
        if (!found.isEmpty()) {
            next++;
            sources.computeIfAbsent(join, k -> new ArrayList<>())
                    .add(new Source(id, key, join.buildKeys().get(key)));
        }
    }

    private void descend(Plan plan, SlotReference slot, int id, List<Target> found) {
        if (!plan.output().contains(slot)) {
            return;
        }
        if (plan instanceof PhysicalScan scan) {
            Target target = new Target(id, slot);
            targets.computeIfAbsent(scan, k -> new ArrayList<>()).add(target);
            found.add(target);
        } else if (plan instanceof PhysicalFilter filter) {
            descend(filter.child(), slot, id, found);
        } else if (plan instanceof PhysicalProject project) {
            descendItems(project.items(), project.child(), slot, id, found);
        } else if (plan instanceof PhysicalAggregate aggregate) {
            // A group's rows are all dropped or all kept, and a dropped group would find no partner.
            descendItems(aggregate.keys(), aggregate.child(), slot, id, found);
        } else if (plan instanceof PhysicalHashJoin join) {
            descendJoin(join.kind(), join.left(), join.right(), slot, id, found);
        } else if (plan instanceof PhysicalNestedLoopJoin join) {
            descendJoin(join.kind(), join.left(), join.right(), slot, id, found);
        }
    }

    private void descendItems(List<NamedExpr> items, Plan child, SlotReference slot, int id, List<Target> found) {
        for (NamedExpr item : items) {
            if (item.id().equals(slot.id())) {
                Expr inner = item instanceof Alias alias ? alias.child() : item;
                if (inner instanceof SlotReference below) {
                    descend(child, below, id, found);
                }
            }
        }
    }

    private void descendJoin(JoinKind kind, Plan left, Plan right, SlotReference slot, int id, List<Target> found) {
        if (left.output().contains(slot)) {
            if (!kind.padsLeft() && kind.keepsLeft()) {
                descend(left, slot, id, found);
            }
        } else if (kind == JoinKind.INNER || kind == JoinKind.RIGHT_OUTER || kind == JoinKind.RIGHT_SEMI) {
            descend(right, slot, id, found);
        }
    }
}
