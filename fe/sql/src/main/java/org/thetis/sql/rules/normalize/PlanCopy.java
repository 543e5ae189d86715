// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.normalize;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.thetis.base.error.ThetisException;
import org.thetis.sql.expr.Alias;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.ExprId;
import org.thetis.sql.expr.ExprIds;
import org.thetis.sql.expr.NamedExpr;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.plan.LogicalAggregate;
import org.thetis.sql.plan.LogicalFilter;
import org.thetis.sql.plan.LogicalJoin;
import org.thetis.sql.plan.LogicalProject;
import org.thetis.sql.plan.LogicalScan;
import org.thetis.sql.plan.LogicalValues;
import org.thetis.sql.plan.Plan;

/** Copies a plan under fresh column identities, for a second use of the same relation. */
final class PlanCopy {
    private final ExprIds ids;
    private final Map<ExprId, SlotReference> renamed = new HashMap<>();

    private PlanCopy(ExprIds ids) {
        this.ids = ids;
    }

    static Plan copy(Plan plan, ExprIds ids) {
        return new PlanCopy(ids).copy(plan);
    }

    private Plan copy(Plan plan) {
        if (plan instanceof LogicalScan scan) {
            return scan.withOutput(fresh(scan.output()));
        }
        if (plan instanceof LogicalValues values) {
            return new LogicalValues(fresh(values.output()), values.rows());
        }
        if (plan instanceof LogicalFilter filter) {
            Plan child = copy(filter.child());
            return new LogicalFilter(all(filter.conditions()), child);
        }
        if (plan instanceof LogicalProject project) {
            Plan child = copy(project.child());
            return new LogicalProject(named(project.items()), child);
        }
        if (plan instanceof LogicalAggregate aggregate) {
            Plan child = copy(aggregate.child());
            List<NamedExpr> keys = named(aggregate.keys());
            List<Alias> calls = new ArrayList<>();
            aggregate.calls().forEach(call -> calls.add((Alias) named(call)));
            return new LogicalAggregate(keys, calls, child);
        }
        if (plan instanceof LogicalJoin join) {
            Plan left = copy(join.left());
            Plan right = copy(join.right());
            return new LogicalJoin(join.kind(), all(join.conditions()), join.hint(), left, right);
        }
        throw ThetisException.notSupported("IN with a subquery of this shape outside of AND");
    }

    private List<SlotReference> fresh(List<SlotReference> slots) {
        List<SlotReference> copies = new ArrayList<>();
        for (SlotReference slot : slots) {
            SlotReference copy = new SlotReference(
                    ids.next(), slot.qualifier(), slot.name(), slot.type(), slot.nullable(), slot.origin());
            renamed.put(slot.id(), copy);
            copies.add(copy);
        }
        return copies;
    }

    private Expr one(Expr expression) {
        return expression.rewrite(
                node -> node instanceof SlotReference slot ? renamed.getOrDefault(slot.id(), slot) : node);
    }

    private List<Expr> all(List<Expr> expressions) {
        return expressions.stream().map(this::one).toList();
    }

    private List<NamedExpr> named(List<NamedExpr> items) {
        return items.stream().map(this::named).toList();
    }

    private NamedExpr named(NamedExpr item) {
        if (item instanceof SlotReference slot) {
            return (NamedExpr) one(slot);
        }
        Alias alias = (Alias) item;
        Alias copy = new Alias(ids.next(), alias.name(), one(alias.child()), alias.qualifier());
        renamed.put(alias.id(), copy.toSlot());
        return copy;
    }
}
