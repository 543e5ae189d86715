// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.rewrite;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.KeysModel;
import org.thetis.sql.plan.LogicalAggregate;
import org.thetis.sql.plan.LogicalFilter;
import org.thetis.sql.plan.LogicalJoin;
import org.thetis.sql.plan.LogicalProject;
import org.thetis.sql.plan.LogicalScan;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.plan.ReadMode;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.RowUse;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;

/**
 * Aggregate sum(v) by k      Aggregate sum(v) by k
 *   Scan k, v SUM       ->     Scan k, v SUM, rows of one key may come apart
 *
 * Of models that merge rows when they are read: decides whether what stands above the scan gives the same without the merge.
 */
public record DecidePreaggregation() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.any();
    }

    @Override
    public boolean isWholeTree() {
        return true;
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        Plan decided = decide(match.root(), RowUse.UNKNOWN, context);
        return decided == match.root() ? Optional.empty() : Optional.of(decided);
    }

    private static Plan decide(Plan plan, RowUse use, RuleContext context) {
        if (plan instanceof LogicalScan scan) {
            ReadMode mode = mode(scan, use, context);
            return mode.equals(scan.mode()) ? scan : scan.withMode(mode);
        }
        List<Plan> children = new ArrayList<>();
        boolean changed = false;
        for (int i = 0; i < plan.children().size(); i++) {
            Plan decided = decide(plan.child(i), below(plan, i, use), context);
            changed |= decided != plan.child(i);
            children.add(decided);
        }
        return changed ? plan.withChildren(children) : plan;
    }

    /** What happens to the rows of a node's i-th input. */
    private static RowUse below(Plan plan, int i, RowUse use) {
        if (plan instanceof LogicalAggregate aggregate) {
            return RowUse.of(aggregate);
        }
        if (plan instanceof LogicalProject project) {
            return use.below(project);
        }
        if (plan instanceof LogicalFilter filter) {
            return use.with(filter.conditions());
        }
        if (plan instanceof LogicalJoin join) {
            boolean given = i == 0 ? join.kind().keepsLeft() : join.kind().keepsRight();
            return given ? use.with(join.conditions()) : RowUse.EXISTENCE.with(join.conditions());
        }
        return RowUse.UNKNOWN;
    }

    private static ReadMode mode(LogicalScan scan, RowUse use, RuleContext context) {
        OlapTable table = scan.table().table();
        boolean merges = table.keysModel() == KeysModel.AGGREGATE
                || table.keysModel() == KeysModel.UNIQUE && !table.properties().mergeOnWrite();
        boolean forced = context.isOn("skip_storage_engine_merge", false);
        String reason = merges && !forced ? use.reasonToMerge(scan) : "";
        return new ReadMode(
                merges && reason.isEmpty(),
                reason,
                context.isOn("skip_delete_bitmap", false),
                context.isOn("skip_delete_predicate", false));
    }
}
