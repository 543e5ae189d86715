// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.rewrite;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.thetis.catalog.schema.Partition;
import org.thetis.sql.plan.LogicalFilter;
import org.thetis.sql.plan.LogicalScan;
import org.thetis.sql.plan.LogicalValues;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.plan.ScanSelection;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;

/**
 * Filter day = '2024-01-01' AND id = 7      Filter (the same)
 *   Scan of all tablets                ->     Scan of the partition of that day, bucket of 7
 */
public record PrunePartitions() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.filter(Pattern.scan());
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        LogicalFilter filter = match.root(LogicalFilter.class);
        LogicalScan scan = match.child(LogicalScan.class);
        if (scan.selection().prunedBy().equals(filter.conditions())) {
            return Optional.empty();
        }
        PartitionMatcher matcher = new PartitionMatcher(scan, filter.conditions());
        List<Partition> partitions =
                scan.selection().partitions().stream().filter(matcher::mayMatch).toList();
        if (partitions.isEmpty()) {
            return Optional.of(LogicalValues.empty(filter.output()));
        }
        Set<Long> tablets = BucketMatcher.tablets(scan, partitions, filter.conditions());
        if (tablets != null && scan.selection().tabletIds() != null) {
            tablets.removeIf(id -> !scan.selection().reads(id));
        }
        ScanSelection selection = new ScanSelection(
                partitions, tablets == null ? scan.selection().tabletIds() : tablets, filter.conditions());
        return Optional.of(filter.withChild(scan.withSelection(selection)));
    }
}
