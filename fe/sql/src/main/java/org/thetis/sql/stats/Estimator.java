// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.stats;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.ColumnStatistics;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.schema.Tablet;
import org.thetis.catalog.type.DataType;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.ExprId;
import org.thetis.sql.expr.NamedExpr;
import org.thetis.sql.expr.ScalarCall;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.plan.JoinKind;
import org.thetis.sql.plan.LogicalAggregate;
import org.thetis.sql.plan.LogicalAssertRows;
import org.thetis.sql.plan.LogicalFilter;
import org.thetis.sql.plan.LogicalJoin;
import org.thetis.sql.plan.LogicalLimit;
import org.thetis.sql.plan.LogicalProject;
import org.thetis.sql.plan.LogicalRepeat;
import org.thetis.sql.plan.LogicalScan;
import org.thetis.sql.plan.LogicalTableFunction;
import org.thetis.sql.plan.LogicalTopN;
import org.thetis.sql.plan.LogicalUnion;
import org.thetis.sql.plan.LogicalValues;
import org.thetis.sql.plan.Plan;

/** Estimates logical plans bottom-up from tablet row counts. Remembers what it computed; one per statement. */
public final class Estimator {
    private static final double DEFAULT_ROWS = 1_000;

    private final TableRows rows;
    private final IdentityHashMap<Plan, Estimate> known = new IdentityHashMap<>();

    public Estimator(TableRows rows) {
        this.rows = rows;
    }

    /** The estimate of a plan. */
    public Estimate of(Plan plan) {
        Estimate found = known.get(plan);
        if (found == null) {
            found = compute(plan);
            known.put(plan, found);
        }
        return found;
    }

    /** Takes the estimate of a plan as given. */
    public void remember(Plan plan, Estimate estimate) {
        known.put(plan, estimate);
    }

    /** Estimated rows of a plan, at least one unless it is known to be empty. */
    public double rows(Plan plan) {
        return of(plan).rows();
    }

    private Estimate compute(Plan plan) {
        if (plan instanceof LogicalScan scan) {
            return scan(scan);
        }
        if (plan instanceof LogicalValues values) {
            return new Estimate(values.rows().size(), Map.of());
        }
        if (plan instanceof LogicalTableFunction function) {
            return new Estimate(parse(function.properties().get("number")), Map.of());
        }
        if (plan instanceof LogicalJoin join) {
            return join(join);
        }
        if (plan instanceof LogicalUnion union) {
            return new Estimate(
                    union.children().stream().mapToDouble(this::rows).sum(), Map.of());
        }
        Estimate input = of(plan.child(0));
        if (plan instanceof LogicalFilter filter) {
            return scaled(input, filter.conditions());
        }
        if (plan instanceof LogicalProject project) {
            return project(project, input);
        }
        if (plan instanceof LogicalAggregate aggregate) {
            return aggregate(aggregate, input);
        }
        if (plan instanceof LogicalLimit limit && limit.limit() >= 0) {
            return new Estimate(Math.min((double) limit.limit(), input.rows()), input.distinct());
        }
        if (plan instanceof LogicalTopN top) {
            return new Estimate(Math.min((double) top.limit(), input.rows()), input.distinct());
        }
        if (plan instanceof LogicalAssertRows) {
            return new Estimate(1, Map.of());
        }
        if (plan instanceof LogicalRepeat repeat) {
            return new Estimate(input.rows() * repeat.sets().size(), input.distinct());
        }
        return input;
    }

    private static double parse(@org.jspecify.annotations.Nullable String number) {
        try {
            return number == null ? DEFAULT_ROWS : Double.parseDouble(number);
        } catch (NumberFormatException e) {
            return DEFAULT_ROWS;
        }
    }

    private Estimate scan(LogicalScan scan) {
        double total = 0;
        boolean reported = false;
        for (Partition partition : scan.selection().partitions()) {
            for (Tablet tablet : partition.tablets()) {
                if (scan.selection().reads(tablet.id())) {
                    reported |= rows.rows(tablet.id()).isPresent();
                    total += rows.rows(tablet.id()).orElse(0);
                }
            }
        }
        double count = reported ? Math.max(1, total) : DEFAULT_ROWS;
        Map<ExprId, Double> distinct = new HashMap<>();
        OlapTable table = scan.table().table();
        String firstKey =
                table.columns().isEmpty() ? "" : table.columns().get(0).name();
        Map<String, Integer> uniqueIds = new HashMap<>();
        table.columns().forEach(column -> uniqueIds.put(column.name(), column.uniqueId()));
        Set<Integer> wanted = new HashSet<>();
        for (SlotReference slot : scan.output()) {
            if (slot.origin() != null && uniqueIds.containsKey(slot.origin().column())) {
                wanted.add(uniqueIds.get(slot.origin().column()));
            }
        }
        Map<Integer, ColumnStatistics> known = reported ? rows.columns(table, wanted) : Map.of();
        Map<ExprId, Estimate.Range> ranges = new HashMap<>();
        for (SlotReference slot : scan.output()) {
            String name = slot.origin() == null ? "" : slot.origin().column();
            ColumnStatistics statistics = known.get(uniqueIds.getOrDefault(name, -1));
            if (statistics != null && statistics.min() != null && statistics.max() != null) {
                ranges.put(slot.id(), new Estimate.Range(statistics.min(), statistics.max()));
            }
            double values = statistics == null || statistics.distinct() < 0
                    ? name.equals(firstKey) ? count : typical(slot.type(), count)
                    : statistics.distinct();
            distinct.put(slot.id(), Math.max(1, Math.min(count, values)));
        }
        return new Estimate(count, distinct, ranges);
    }

    /** Distinct values that columns of a type tend to have. */
    private static double typical(DataType type, double rows) {
        return switch (type.id()) {
            case BOOLEAN -> 2;
            case TINYINT -> 50;
            case SMALLINT -> 1_000;
            case DATE -> 2_500;
            case CHAR -> type.length() == 1 ? 5 : Math.min(rows / 2, 1_000);
            case VARCHAR -> type.length() <= 10 ? 50 : Math.max(10, rows / 4);
            case DECIMAL -> Math.max(10, rows / 10);
            default -> Math.max(10, rows / 2);
        };
    }

    private static Estimate scaled(Estimate input, List<Expr> conditions) {
        double share = Selectivity.ofAll(conditions, input);
        return new Estimate(
                input.rows() == 0 ? 0 : Math.max(1, input.rows() * share), input.distinct(), input.ranges());
    }

    private static Estimate project(LogicalProject project, Estimate input) {
        Map<ExprId, Double> distinct = new HashMap<>();
        for (NamedExpr item : project.items()) {
            Expr inner = item instanceof org.thetis.sql.expr.Alias alias ? alias.child() : item;
            if (inner instanceof SlotReference slot) {
                // Not cut to the rows that are left: a join compares the domains before filters.
                distinct.put(item.id(), input.distinct().getOrDefault(slot.id(), input.rows()));
            }
        }
        return new Estimate(input.rows(), distinct, input.ranges());
    }

    private static Estimate aggregate(LogicalAggregate aggregate, Estimate input) {
        if (aggregate.keys().isEmpty()) {
            return new Estimate(1, Map.of());
        }
        double groups = 1;
        Map<ExprId, Double> distinct = new HashMap<>();
        for (NamedExpr key : aggregate.keys()) {
            double values =
                    key instanceof SlotReference slot ? input.distinct(slot.id()) : Math.max(1, input.rows() / 10);
            groups *= values;
            distinct.put(key.id(), values);
        }
        return new Estimate(
                Math.max(1, Math.min(groups, input.rows() * (aggregate.keys().size() > 1 ? 0.8 : 1))), distinct);
    }

    private Estimate join(LogicalJoin join) {
        return join(join.kind(), join.conditions(), of(join.left()), of(join.right()));
    }

    /** The estimate of a join of two inputs with known estimates. */
    public static Estimate join(JoinKind kind, List<Expr> conditions, Estimate left, Estimate right) {
        double product = left.rows() * right.rows();
        double share = 1;
        Map<ExprId, Double> distinct = new HashMap<>(left.distinct());
        distinct.putAll(right.distinct());
        Estimate both = new Estimate(Math.max(1, Math.max(left.rows(), right.rows())), distinct);
        List<Double> factors = new ArrayList<>();
        for (Expr condition : conditions) {
            if (condition instanceof ScalarCall call && call.is("eq")) {
                factors.add(equalityFactor(call, left, right, distinct));
            } else {
                share *= Selectivity.of(condition, both);
            }
        }
        // Several equalities between two inputs are rarely independent: each further one counts by its root.
        // Together they select at most as one key of the smaller input would.
        factors.sort(Comparator.reverseOrder());
        double exponent = 1;
        double together = 1;
        for (double factor : factors) {
            together *= Math.pow(factor, exponent);
            exponent /= 2;
        }
        if (factors.size() > 1) {
            together = Math.min(together, Math.max(factors.get(0), Math.min(left.rows(), right.rows())));
        }
        share /= together;
        double matched = Math.max(product == 0 ? 0 : 1, product * share);
        double rows =
                switch (kind) {
                    case INNER -> matched;
                    case LEFT_OUTER -> Math.max(matched, left.rows());
                    case RIGHT_OUTER -> Math.max(matched, right.rows());
                    case FULL_OUTER -> Math.max(matched, left.rows() + right.rows());
                    case LEFT_SEMI -> Math.max(1, Math.min(left.rows(), matched) * 0.7);
                    case LEFT_ANTI, NULL_AWARE_LEFT_ANTI -> Math.max(1, left.rows() * 0.3);
                    case RIGHT_SEMI -> Math.max(1, Math.min(right.rows(), matched) * 0.7);
                    case RIGHT_ANTI -> Math.max(1, right.rows() * 0.3);
                };
        return new Estimate(rows, distinct);
    }

    /**
     * Distinct values of the domain that both sides share. Counts of columns are guesses from above, so the smaller one is the better
     * guess for both, and is kept for the output.
     */
    private static double equalityFactor(
            ScalarCall equality, Estimate left, Estimate right, Map<ExprId, Double> distinct) {
        if (equality.child(0) instanceof SlotReference a && equality.child(1) instanceof SlotReference b) {
            double first =
                    distinct.getOrDefault(a.id(), left.distinct().containsKey(a.id()) ? left.rows() : right.rows());
            double second =
                    distinct.getOrDefault(b.id(), right.distinct().containsKey(b.id()) ? right.rows() : left.rows());
            double shared = Math.max(1, Math.min(first, second));
            distinct.put(a.id(), shared);
            distinct.put(b.id(), shared);
            return shared;
        }
        return Math.max(1, Math.min(left.rows(), right.rows()));
    }
}
