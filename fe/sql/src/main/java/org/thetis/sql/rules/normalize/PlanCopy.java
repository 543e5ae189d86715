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
import org.thetis.sql.expr.SortKey;
import org.thetis.sql.expr.Subquery;
import org.thetis.sql.plan.LogicalAggregate;
import org.thetis.sql.plan.LogicalAssertRows;
import org.thetis.sql.plan.LogicalFilter;
import org.thetis.sql.plan.LogicalJoin;
import org.thetis.sql.plan.LogicalLimit;
import org.thetis.sql.plan.LogicalProject;
import org.thetis.sql.plan.LogicalRepeat;
import org.thetis.sql.plan.LogicalScan;
import org.thetis.sql.plan.LogicalSort;
import org.thetis.sql.plan.LogicalTableFunction;
import org.thetis.sql.plan.LogicalTopN;
import org.thetis.sql.plan.LogicalUnion;
import org.thetis.sql.plan.LogicalValues;
import org.thetis.sql.plan.LogicalWindow;
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

    /** A copy that reads the given columns in place of others that it does not produce itself. */
    static Plan copy(Plan plan, ExprIds ids, Map<ExprId, SlotReference> outer) {
        PlanCopy copy = new PlanCopy(ids);
        copy.renamed.putAll(outer);
        return copy.copy(plan);
    }

    private Plan copy(Plan plan) {
        if (plan instanceof LogicalScan scan) {
            return scan.withOutput(fresh(scan.output()));
        }
        if (plan instanceof LogicalValues values) {
            List<List<Expr>> rows = values.rows();
            boolean constant = rows.stream().allMatch(row -> row.stream().allMatch(Expr::isConstant));
            return new LogicalValues(
                    fresh(values.output()),
                    constant ? rows : rows.stream().map(this::all).toList());
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
        if (plan instanceof LogicalUnion union) {
            List<Plan> inputs = union.children().stream().map(this::copy).toList();
            return new LogicalUnion(fresh(union.output()), inputs);
        }
        if (plan instanceof LogicalTableFunction function) {
            return new LogicalTableFunction(function.name(), function.properties(), fresh(function.output()));
        }
        return copyUnary(plan);
    }

    private Plan copyUnary(Plan plan) {
        if (plan instanceof LogicalWindow window) {
            Plan child = copy(window.child());
            List<Alias> calls = new ArrayList<>();
            window.calls().forEach(call -> calls.add((Alias) named(call)));
            return new LogicalWindow(calls, child);
        }
        if (plan instanceof LogicalSort sort) {
            Plan child = copy(sort.child());
            return new LogicalSort(keys(sort.keys()), child);
        }
        if (plan instanceof LogicalTopN top) {
            Plan child = copy(top.child());
            return new LogicalTopN(keys(top.keys()), top.limit(), top.offset(), child);
        }
        if (plan instanceof LogicalLimit limit) {
            return new LogicalLimit(limit.limit(), limit.offset(), copy(limit.child()));
        }
        if (plan instanceof LogicalAssertRows rows) {
            return new LogicalAssertRows(copy(rows.child()));
        }
        if (plan instanceof LogicalRepeat repeat) {
            Plan child = copy(repeat.child());
            List<SlotReference> keys = repeat.keys().stream()
                    .map(key -> ((SlotReference) one(key)).withNullable(true))
                    .toList();
            SlotReference id = fresh(List.of(repeat.groupingId())).get(0);
            return new LogicalRepeat(keys, repeat.sets(), id, child);
        }
        throw ThetisException.notSupported("a second use of " + plan.nodeName() + " for a subquery");
    }

    private List<SortKey> keys(List<SortKey> keys) {
        return keys.stream()
                .map(key -> key.withExpression(one(key.expression())))
                .toList();
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
        return substitute(expression, renamed, ids);
    }

    /** The expression over other columns, inside its subqueries too. */
    static Expr substitute(Expr expression, Map<ExprId, SlotReference> columns, ExprIds ids) {
        return expression.rewrite(node -> {
            if (node instanceof SlotReference slot) {
                SlotReference other = columns.get(slot.id());
                return other == null ? slot : other.withNullable(slot.nullable() || other.nullable());
            }
            return node instanceof Subquery subquery
                    ? new Subquery(
                            subquery.kind(),
                            subquery.value(),
                            copy((Plan) subquery.plan(), ids, columns),
                            subquery.negated())
                    : node;
        });
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
