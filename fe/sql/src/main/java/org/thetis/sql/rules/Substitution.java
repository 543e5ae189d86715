// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.thetis.sql.expr.Alias;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.ExprId;
import org.thetis.sql.expr.NamedExpr;
import org.thetis.sql.expr.ScalarCall;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.expr.Subquery;
import org.thetis.sql.plan.LogicalFilter;
import org.thetis.sql.plan.Plan;

/** Small operations on expressions and plans that many rules share. */
public final class Substitution {
    private Substitution() {}

    /** What each computed column stands for. */
    public static Map<ExprId, Expr> definitions(List<? extends NamedExpr> items) {
        Map<ExprId, Expr> definitions = new HashMap<>();
        for (NamedExpr item : items) {
            definitions.put(item.id(), item instanceof Alias alias ? alias.child() : item);
        }
        return definitions;
    }

    /** The expression with columns replaced by what they stand for. */
    public static Expr inline(Expr expression, Map<ExprId, Expr> definitions) {
        return expression.rewrite(
                node -> node instanceof SlotReference slot ? definitions.getOrDefault(slot.id(), slot) : node);
    }

    /** Every expression with columns replaced. */
    public static List<Expr> inline(List<Expr> expressions, Map<ExprId, Expr> definitions) {
        return expressions.stream()
                .map(expression -> inline(expression, definitions))
                .toList();
    }

    /** Whether all columns of the expression are among those given. */
    public static boolean uses(Expr expression, Set<SlotReference> only) {
        return only.containsAll(expression.slots());
    }

    /** Whether the value may differ from one evaluation to the next. */
    public static boolean isVolatile(Expr expression) {
        return expression.anyMatch(node -> node instanceof ScalarCall call && call.isVolatile());
    }

    /** Whether a subquery stands in the expression. */
    public static boolean hasSubquery(Expr expression) {
        return expression.anyMatch(node -> node instanceof Subquery);
    }

    /** Output columns as a set. */
    public static Set<SlotReference> outputSet(Plan plan) {
        return new HashSet<>(plan.output());
    }

    /** The plan under a filter; the plan itself for no condition. */
    public static Plan filter(List<Expr> conditions, Plan plan) {
        if (conditions.isEmpty()) {
            return plan;
        }
        if (plan instanceof LogicalFilter filter) {
            List<Expr> all = new ArrayList<>(filter.conditions());
            conditions.stream().filter(condition -> !all.contains(condition)).forEach(all::add);
            return new LogicalFilter(all, filter.child());
        }
        return new LogicalFilter(conditions, plan);
    }
}
