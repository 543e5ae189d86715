// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.stats;

import org.thetis.catalog.schema.HiddenColumns;
import org.thetis.sql.expr.Connective;
import org.thetis.sql.expr.Expr;
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
            case "lt", "le", "gt", "ge" -> RANGE;
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
