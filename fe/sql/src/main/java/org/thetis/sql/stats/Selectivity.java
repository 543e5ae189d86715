// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.stats;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import org.thetis.catalog.schema.HiddenColumns;
import org.thetis.sql.expr.Connective;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.ExprId;
import org.thetis.sql.expr.InList;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.ScalarCall;
import org.thetis.sql.expr.SlotReference;

/** Share of rows that satisfy a condition, by rules of thumb over distinct counts. */
final class Selectivity {
    private static final double RANGE = 0.3;
    private static final double LIKE = 0.1;
    private static final double UNKNOWN = 0.25;
    private static final double EQUALITY = 0.1;

    private Selectivity() {}

    /** Of all conditions together. Bounds of one column belong to each other: they cut one range. */
    static double ofAll(List<Expr> conditions, Estimate input) {
        double share = 1;
        Map<ExprId, Estimate.Range> left = new HashMap<>();
        for (Expr condition : conditions) {
            if (!narrow(condition, input, left)) {
                share *= of(condition, input);
            }
        }
        for (Map.Entry<ExprId, Estimate.Range> entry : left.entrySet()) {
            share *= part(
                    entry.getValue(),
                    Objects.requireNonNull(input.ranges().get(entry.getKey())),
                    input.distinct(entry.getKey()));
        }
        return share;
    }

    /** Cuts the range of a column whose bounds are known; false for any other condition. */
    private static boolean narrow(Expr condition, Estimate input, Map<ExprId, Estimate.Range> left) {
        if (!(condition instanceof ScalarCall call)
                || call.children().size() != 2
                || !(call.child(0) instanceof SlotReference slot)
                || !(call.child(1) instanceof Literal literal)) {
            return false;
        }
        Estimate.Range whole = input.ranges().get(slot.id());
        OptionalDouble place = place(literal);
        if (whole == null || place.isEmpty()) {
            return false;
        }
        Estimate.Range now = left.getOrDefault(slot.id(), whole);
        switch (call.name()) {
            case "lt", "le" ->
                left.put(slot.id(), new Estimate.Range(now.min(), Math.min(now.max(), place.getAsDouble())));
            case "gt", "ge" ->
                left.put(slot.id(), new Estimate.Range(Math.max(now.min(), place.getAsDouble()), now.max()));
            default -> {
                return false;
            }
        }
        return true;
    }

    private static double part(Estimate.Range kept, Estimate.Range whole, double distinct) {
        if (kept.min() > kept.max()) {
            return 0;
        }
        double span = whole.max() - whole.min();
        return span <= 0 ? 1 : Math.min(1, Math.max((kept.max() - kept.min()) / span, 1 / distinct));
    }

    /** A literal on the line of numbers that bounds are on. */
    private static OptionalDouble place(Literal literal) {
        boolean ordered =
                switch (literal.type().id()) {
                    case TINYINT, SMALLINT, INT, BIGINT, LARGEINT, FLOAT, DOUBLE, DECIMAL, DATE, DATETIME -> true;
                    default -> false;
                };
        return ordered && literal.value() instanceof Number number
                ? OptionalDouble.of(number.doubleValue())
                : OptionalDouble.empty();
    }

    static double of(Expr condition, Estimate input) {
        double share = share(condition, input);
        return Math.max(0, Math.min(1, share));
    }

    private static double share(Expr condition, Estimate input) {
        if (condition instanceof Literal literal) {
            return literal.isTrue() ? 1 : 0;
        }
        if (condition instanceof Connective connective) {
            double product = 1;
            for (Expr child : connective.children()) {
                double one = of(child, input);
                product *= connective.and() ? one : 1 - one;
            }
            return connective.and() ? product : 1 - product;
        }
        if (condition instanceof InList in) {
            double one = in.value() instanceof SlotReference slot ? 1 / input.distinct(slot.id()) : EQUALITY;
            double some = Math.min(1, one * in.options().size());
            return in.negated() ? 1 - some : some;
        }
        return condition instanceof ScalarCall call ? callShare(call, input) : UNKNOWN;
    }

    private static double callShare(ScalarCall call, Estimate input) {
        return switch (call.name()) {
            case "eq", "eq_for_null" -> equality(call, input);
            case "ne" -> 1 - equality(call, input);
            case "lt", "le", "gt", "ge" -> {
                Map<ExprId, Estimate.Range> left = new HashMap<>();
                if (!narrow(call, input, left)) {
                    yield RANGE;
                }
                ExprId id = left.keySet().iterator().next();
                yield part(
                        Objects.requireNonNull(left.get(id)),
                        Objects.requireNonNull(input.ranges().get(id)),
                        input.distinct(id));
            }
            case "like", "regexp" -> LIKE;
            case "not" -> 1 - of(call.child(0), input);
            case "is_null" -> 0.05;
            case "is_not_null" -> 0.95;
            default -> UNKNOWN;
        };
    }

    private static double equality(ScalarCall call, Estimate input) {
        Expr left = call.child(0);
        Expr right = call.child(1);
        if (left instanceof SlotReference slot && slot.name().equals(HiddenColumns.DELETE_SIGN)) {
            return 1; // deleted rows are few
        }
        if (left instanceof SlotReference a && right instanceof SlotReference b) {
            return 1 / Math.max(input.distinct(a.id()), input.distinct(b.id()));
        }
        if (left instanceof SlotReference slot) {
            return 1 / input.distinct(slot.id());
        }
        return right instanceof SlotReference slot ? 1 / input.distinct(slot.id()) : EQUALITY;
    }
}
