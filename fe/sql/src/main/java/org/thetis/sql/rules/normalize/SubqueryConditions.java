// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.normalize;

import java.util.List;
import org.thetis.sql.expr.CaseWhen;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.ExprFolder;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.Subquery;
import org.thetis.sql.functions.Calls;

/** Simplifies conditions of a filter, where unknown counts as false. */
final class SubqueryConditions {
    private SubqueryConditions() {}

    /**
     * CASE WHEN EXISTS a THEN TRUE WHEN EXISTS b THEN NULL ELSE FALSE END, which a row before IN becomes, is EXISTS a; its negation is
     * NOT EXISTS b, since a's rows are among b's.
     */
    static Expr decide(Expr condition) {
        if (condition instanceof CaseWhen choice && isThreeValued(choice)) {
            return choice.conditions().get(0);
        }
        if (Calls.is(condition, "not")
                && condition.children().get(0) instanceof CaseWhen choice
                && isThreeValued(choice)) {
            return ExprFolder.fold(Calls.not(choice.conditions().get(1)));
        }
        return condition;
    }

    private static boolean isThreeValued(CaseWhen choice) {
        List<Expr> results = choice.results();
        return results.size() == 2
                && choice.conditions().stream()
                        .allMatch(c -> c instanceof Subquery s && s.kind() == Subquery.Kind.EXISTS && !s.negated())
                && results.get(0) instanceof Literal yes
                && yes.isTrue()
                && results.get(1) instanceof Literal unknown
                && unknown.isNull()
                && choice.otherwise() instanceof Literal no
                && Boolean.FALSE.equals(no.value());
    }
}
