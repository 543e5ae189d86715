// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import java.util.ArrayList;
import java.util.List;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.SlotReference;

/** Emits every row once per grouping set with the absent keys NULL, and the set's number (bit i set: key i absent). */
public record LogicalRepeat(List<SlotReference> keys, List<List<Integer>> sets, SlotReference groupingId, Plan child)
        implements LogicalPlan, UnaryPlan {
    /** Copies the lists. */
    public LogicalRepeat {
        keys = List.copyOf(keys);
        sets = List.copyOf(sets);
    }

    @Override
    public Plan withChild(Plan other) {
        return new LogicalRepeat(keys, sets, groupingId, other);
    }

    @Override
    public List<SlotReference> output() {
        List<SlotReference> all = new ArrayList<>();
        for (SlotReference slot : child.output()) {
            all.add(keys.contains(slot) ? slot.withNullable(true) : slot);
        }
        all.add(groupingId);
        return all;
    }

    /** The number of a set as grouping_id() computes it: the first key is the highest bit, set when the key is absent. */
    public long idOf(List<Integer> set) {
        long id = 0;
        for (int i = 0; i < keys.size(); i++) {
            id = id * 2 + (set.contains(i) ? 0 : 1);
        }
        return id;
    }

    @Override
    public List<Expr> expressions() {
        return List.copyOf(keys);
    }

    @Override
    public String details() {
        return "groupingSets=" + sets;
    }
}
