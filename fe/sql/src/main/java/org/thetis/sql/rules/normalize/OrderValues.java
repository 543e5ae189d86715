// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.normalize;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.LiteralOrder;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.expr.SortKey;
import org.thetis.sql.plan.LogicalLimit;
import org.thetis.sql.plan.LogicalSort;
import org.thetis.sql.plan.LogicalTopN;
import org.thetis.sql.plan.LogicalValues;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;

/**
 * Sort a               Values (1), (2)       Limit 1                Values (1)
 *   Values (2), (1) ->                         Values (1), (2)  ->
 *
 * Over literal rows, so that catalog tables answer without a back end.
 */
public record OrderValues() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.any();
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        if (match.root().children().size() != 1 || !(match.root().child(0) instanceof LogicalValues values)) {
            return Optional.empty();
        }
        if (match.root() instanceof LogicalSort sort) {
            return sorted(sort.keys(), values);
        }
        if (match.root() instanceof LogicalTopN top) {
            return sorted(top.keys(), values).map(plan -> cut((LogicalValues) plan, top.limit(), top.offset()));
        }
        return match.root() instanceof LogicalLimit limit
                ? Optional.of(cut(values, limit.limit(), limit.offset()))
                : Optional.empty();
    }

    private static Plan cut(LogicalValues values, long limit, long offset) {
        int from = (int) Math.min(offset, values.rows().size());
        int to = limit < 0 ? values.rows().size() : (int) Math.min(values.rows().size(), from + limit);
        return new LogicalValues(values.output(), List.copyOf(values.rows().subList(from, to)));
    }

    private static Optional<Plan> sorted(List<SortKey> keys, LogicalValues values) {
        Comparator<List<Expr>> order = (a, b) -> 0;
        for (SortKey key : keys) {
            int column = key.expression() instanceof SlotReference slot
                    ? values.output().indexOf(slot)
                    : -1;
            if (column < 0 || !comparable(values, column)) {
                return Optional.empty();
            }
            order = order.thenComparing((a, b) -> compare((Literal) a.get(column), (Literal) b.get(column), key));
        }
        List<List<Expr>> rows = new ArrayList<>(values.rows());
        rows.sort(order);
        return Optional.of(new LogicalValues(values.output(), rows));
    }

    /** Whether all values of a column are literals that compare with each other. */
    private static boolean comparable(LogicalValues values, int column) {
        Literal sample = null;
        for (List<Expr> row : values.rows()) {
            if (!(row.get(column) instanceof Literal literal)) {
                return false;
            }
            if (!literal.isNull()) {
                if (sample != null && LiteralOrder.compare(sample, literal).isEmpty()) {
                    return false;
                }
                sample = literal;
            }
        }
        return true;
    }

    private static int compare(Literal a, Literal b, SortKey key) {
        if (a.isNull() || b.isNull()) {
            int nulls = Boolean.compare(b.isNull(), a.isNull());
            return key.nullsFirst() ? nulls : -nulls;
        }
        OptionalInt order = LiteralOrder.compare(a, b);
        int sign = order.orElse(0);
        return key.ascending() ? sign : -sign;
    }
}
