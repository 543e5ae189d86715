// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import java.util.List;
import java.util.stream.Collectors;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.SortKey;

/** Texts that several nodes print alike. */
public final class PlanText {
    private PlanText() {}

    /** Expressions joined by a comma. */
    public static String list(List<? extends Expr> expressions) {
        return expressions.stream().map(Expr::sql).collect(Collectors.joining(", "));
    }

    /** Conditions joined by AND. */
    public static String conjunction(List<? extends Expr> conditions) {
        return conditions.stream().map(Expr::sql).collect(Collectors.joining(" AND "));
    }

    /** Sort keys joined by a comma. */
    public static String keys(List<SortKey> keys) {
        return keys.stream().map(SortKey::sql).collect(Collectors.joining(", "));
    }

    /** The whole tree, one node per line, children indented with dashes. */
    public static String tree(Plan plan) {
        StringBuilder text = new StringBuilder();
        tree(plan, 0, text);
        return text.toString();
    }

    private static void tree(Plan plan, int depth, StringBuilder text) {
        String details = plan.details();
        text.append("--".repeat(depth)).append(plan.nodeName());
        if (!details.isEmpty()) {
            text.append(" ( ").append(details).append(" )");
        }
        text.append('\n');
        plan.children().forEach(child -> tree(child, depth + 1, text));
    }
}
