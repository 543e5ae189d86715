// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.thetis.catalog.schema.AggregateKind;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.sql.expr.AggregateCall;
import org.thetis.sql.expr.Cast;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.plan.LogicalAggregate;
import org.thetis.sql.plan.LogicalProject;
import org.thetis.sql.plan.LogicalScan;

/**
 * What a plan does with the rows of one of its inputs, as far as it matters for reading rows of one key unmerged.
 *
 * @param known false when something other than an aggregation sees the rows
 * @param calls aggregate functions over the rows
 * @param others expressions that must not differ between the parts of a row: groups and conditions
 */
public record RowUse(boolean known, List<AggregateCall> calls, List<Expr> others) {
    /** Somebody may look at single rows. */
    public static final RowUse UNKNOWN = new RowUse(false, List.of(), List.of());
    /** Only whether there is a row matters, as on the far side of a semi-join. */
    public static final RowUse EXISTENCE = new RowUse(true, List.of(), List.of());

    /** Functions that give the same when a value comes again. */
    private static final Set<String> IGNORE_REPEATS = Set.of(
            "min",
            "max",
            "any_value",
            "approx_count_distinct",
            "group_bit_and",
            "group_bit_or",
            "multi_distinct_count",
            "multi_distinct_group_concat",
            "multi_distinct_sum");

    /** Copies the lists. */
    public RowUse {
        calls = List.copyOf(calls);
        others = List.copyOf(others);
    }

    /** The use that an aggregation makes of its input. */
    public static RowUse of(LogicalAggregate aggregate) {
        return new RowUse(
                true,
                aggregate.calls().stream().map(LogicalAggregate::function).toList(),
                new ArrayList<>(aggregate.keys()));
    }

    /** The same use seen below a projection. */
    public RowUse below(LogicalProject project) {
        var definitions = Substitution.definitions(project.items());
        return new RowUse(
                known,
                calls.stream()
                        .map(call -> (AggregateCall) Substitution.inline(call, definitions))
                        .toList(),
                Substitution.inline(others, definitions));
    }

    /** The same use of rows that some conditions chose. */
    public RowUse with(List<Expr> conditions) {
        List<Expr> more = new ArrayList<>(others);
        more.addAll(conditions);
        return new RowUse(known, calls, more);
    }

    /** Why the scan has to merge rows of one key; empty when it need not. */
    public String reasonToMerge(LogicalScan scan) {
        if (!known) {
            return "No aggregate on scan.";
        }
        for (Expr other : others) {
            if (!onKeys(other, scan)) {
                return other.sql() + " reads a value column.";
            }
        }
        for (AggregateCall call : calls) {
            if (!isIndifferent(call, scan)) {
                return call.sql() + " does not match how storage aggregates.";
            }
        }
        return "";
    }

    private static boolean isIndifferent(AggregateCall call, LogicalScan scan) {
        if (call.distinct() || IGNORE_REPEATS.contains(call.name())) {
            return onKeys(call, scan) || matches(call, scan);
        }
        return matches(call, scan);
    }

    /** Whether the function does to a column what storage does: a sum of sums is the sum. */
    private static boolean matches(AggregateCall call, LogicalScan scan) {
        if (call.distinct() || call.arguments().size() != 1) {
            return false;
        }
        Optional<SchemaColumn> column = column(call.arguments().get(0), scan);
        AggregateKind kind = column.map(SchemaColumn::aggregate).orElse(AggregateKind.NONE);
        return switch (call.name()) {
            case "sum", "sum0" -> kind == AggregateKind.SUM;
            case "min" -> kind == AggregateKind.MIN;
            case "max" -> kind == AggregateKind.MAX;
            default -> false;
        };
    }

    /** The scanned column that the expression is, seen through conversions to a wider type. */
    private static Optional<SchemaColumn> column(Expr expression, LogicalScan scan) {
        if (expression instanceof Cast cast
                && !cast.explicit()
                && cast.nullable() == cast.child().nullable()) {
            return column(cast.child(), scan);
        }
        return expression instanceof SlotReference slot ? column(slot, scan) : Optional.empty();
    }

    private static Optional<SchemaColumn> column(SlotReference slot, LogicalScan scan) {
        if (!scan.output().contains(slot)) {
            return Optional.empty();
        }
        String name = slot.origin() == null ? slot.name() : slot.origin().column();
        return scan.table().table().findColumn(name);
    }

    private static boolean onKeys(Expr expression, LogicalScan scan) {
        return !Substitution.isVolatile(expression)
                && expression.slots().stream()
                        .allMatch(slot ->
                                column(slot, scan).map(SchemaColumn::key).orElse(true));
    }
}
