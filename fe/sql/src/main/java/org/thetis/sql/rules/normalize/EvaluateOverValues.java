// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.normalize;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.thetis.sql.expr.Alias;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.ExprFolder;
import org.thetis.sql.expr.ExprId;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.NamedExpr;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.plan.LogicalFilter;
import org.thetis.sql.plan.LogicalProject;
import org.thetis.sql.plan.LogicalValues;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;
import org.thetis.sql.rules.Substitution;

/**
 * Project a + 1         Values (2), (3)
 *   Values (1), (2) ->
 *
 * A filter over values is evaluated only where every row's condition becomes a constant.
 */
public record EvaluateOverValues() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.any();
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        if (match.root() instanceof LogicalProject project && project.child() instanceof LogicalValues values) {
            return project(project, values);
        }
        if (match.root() instanceof LogicalFilter filter && filter.child() instanceof LogicalValues values) {
            return filter(filter, values);
        }
        return Optional.empty();
    }

    private static Map<ExprId, Expr> row(LogicalValues values, List<Expr> row) {
        Map<ExprId, Expr> definitions = new HashMap<>();
        for (int i = 0; i < row.size(); i++) {
            definitions.put(values.output().get(i).id(), row.get(i));
        }
        return definitions;
    }

    private static Optional<Plan> project(LogicalProject project, LogicalValues values) {
        if (project.items().stream()
                .anyMatch(item -> Substitution.hasSubquery(item)
                        || Substitution.isVolatile(item) && values.rows().size() > 1)) {
            return Optional.empty();
        }
        List<List<Expr>> rows = new ArrayList<>();
        for (List<Expr> row : values.rows()) {
            Map<ExprId, Expr> definitions = row(values, row);
            List<Expr> computed = new ArrayList<>();
            for (NamedExpr item : project.items()) {
                computed.add(ExprFolder.fold(
                        Substitution.inline(item instanceof Alias alias ? alias.child() : item, definitions)));
            }
            rows.add(computed);
        }
        List<SlotReference> output = new ArrayList<>();
        for (int i = 0; i < project.items().size(); i++) {
            int column = i;
            SlotReference slot = project.items().get(i).toSlot();
            output.add(slot.withNullable(
                    rows.stream().anyMatch(row -> row.get(column).nullable())));
        }
        return Optional.of(new LogicalValues(output, rows));
    }

    private static Optional<Plan> filter(LogicalFilter filter, LogicalValues values) {
        List<List<Expr>> kept = new ArrayList<>();
        for (List<Expr> row : values.rows()) {
            Map<ExprId, Expr> definitions = row(values, row);
            boolean all = true;
            for (Expr condition : filter.conditions()) {
                Expr folded = ExprFolder.fold(Substitution.inline(condition, definitions));
                if (!(folded instanceof Literal literal)) {
                    return Optional.empty();
                }
                all &= literal.isTrue();
            }
            if (all) {
                kept.add(row);
            }
        }
        return Optional.of(new LogicalValues(values.output(), kept));
    }
}
