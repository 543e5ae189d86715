// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.thetis.catalog.type.DataType;
import org.thetis.sql.expr.Alias;
import org.thetis.sql.expr.Connective;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.ExprIds;
import org.thetis.sql.expr.InList;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.NullMode;
import org.thetis.sql.expr.ScalarCall;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.expr.SortKey;
import org.thetis.sql.functions.Calls;
import org.thetis.sql.functions.FunctionCatalog;
import org.thetis.sql.functions.FunctionResolver;
import org.thetis.sql.plan.Distribution;
import org.thetis.sql.plan.JoinKind;
import org.thetis.sql.plan.LogicalAggregate;
import org.thetis.sql.plan.LogicalFilter;
import org.thetis.sql.plan.LogicalJoin;
import org.thetis.sql.plan.LogicalLimit;
import org.thetis.sql.plan.LogicalProject;
import org.thetis.sql.plan.LogicalScan;
import org.thetis.sql.plan.LogicalSort;
import org.thetis.sql.plan.LogicalTopN;
import org.thetis.sql.plan.LogicalUnion;
import org.thetis.sql.plan.LogicalValues;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.normalize.EliminateTrivialFilter;
import org.thetis.sql.rules.normalize.EvaluateOverValues;
import org.thetis.sql.rules.normalize.FoldConstants;
import org.thetis.sql.rules.normalize.MergeFilters;
import org.thetis.sql.rules.normalize.MergeLimits;
import org.thetis.sql.rules.normalize.MergeProjects;
import org.thetis.sql.rules.normalize.RewriteDistinctAggregates;
import org.thetis.sql.rules.normalize.SortLimitToTopN;
import org.thetis.sql.rules.rewrite.EliminateEmpty;
import org.thetis.sql.rules.rewrite.EliminateOuterJoin;
import org.thetis.sql.rules.rewrite.ExtractSharedFactors;
import org.thetis.sql.rules.rewrite.OrToInList;
import org.thetis.sql.rules.rewrite.PushFilterThroughAggregate;
import org.thetis.sql.rules.rewrite.PushFilterThroughJoin;
import org.thetis.sql.rules.rewrite.PushFilterThroughProject;
import org.thetis.sql.rules.rewrite.PushFilterThroughUnion;
import org.thetis.sql.rules.rewrite.PushJoinConditions;
import org.thetis.sql.rules.rewrite.PushLimitThroughUnion;
import org.thetis.sql.rules.rewrite.ShareAggregateArguments;
import org.thetis.sql.stats.Estimator;

/** Each rule on the smallest plan it rewrites, and on one it must leave alone. */
class RewriteRulesTest {
    private static final FunctionResolver FUNCTIONS = new FunctionResolver(FunctionCatalog.load());

    private final ExprIds ids = new ExprIds();
    private final SlotReference a = slot("a");
    private final SlotReference b = slot("b");
    private final SlotReference x = slot("x");
    private final SlotReference y = slot("y");
    private final Plan left = relation(a, b);
    private final Plan right = relation(x, y);

    private SlotReference slot(String name) {
        return new SlotReference(ids.next(), null, name, DataType.INT, true, null);
    }

    private static Plan relation(SlotReference... slots) {
        List<Expr> row = List.of(new Unknown().value(), new Unknown().value());
        return new LogicalValues(List.of(slots), List.of(row));
    }

    /** A value that folds to nothing. */
    private record Unknown() {
        Expr value() {
            return new ScalarCall("rand", List.of(), DataType.INT, NullMode.NEVER, true);
        }
    }

    private RuleContext context() {
        ExecutionSites sites = new ExecutionSites() {
            @Override
            public int numBackends() {
                return 1;
            }

            @Override
            public Distribution distribution(LogicalScan scan) {
                return Distribution.SINGLE;
            }
        };
        return new RuleContext(ids, FUNCTIONS, new Estimator(tablet -> OptionalLong.empty()), sites, Map.of());
    }

    private Optional<Plan> apply(Rule rule, Plan plan) {
        return rule.pattern().matches(plan) ? rule.apply(new Match(plan), context()) : Optional.empty();
    }

    private static Expr is(Expr column, int value) {
        return Calls.eq(column, Literal.integer(value));
    }

    private static Expr and(Expr... parts) {
        return new Connective(true, List.of(parts));
    }

    private static Expr or(Expr... parts) {
        return new Connective(false, List.of(parts));
    }

    @Test
    void foldConstants() {
        Expr sum = new ScalarCall(
                "add", List.of(Literal.integer(1), Literal.integer(2)), DataType.INT, NullMode.PROPAGATE, false);
        assertThat(apply(new FoldConstants(), new LogicalFilter(List.of(Calls.eq(a, sum), Literal.of(true)), left)))
                .contains(new LogicalFilter(List.of(is(a, 3)), left));
        assertThat(apply(new FoldConstants(), new LogicalFilter(List.of(is(a, 3)), left)))
                .isEmpty();
    }

    @Test
    void mergeFilters() {
        assertThat(apply(
                        new MergeFilters(),
                        new LogicalFilter(List.of(is(a, 1)), new LogicalFilter(List.of(is(b, 2)), left))))
                .contains(new LogicalFilter(List.of(is(b, 2), is(a, 1)), left));
        assertThat(apply(new MergeFilters(), new LogicalFilter(List.of(is(a, 1)), left)))
                .isEmpty();
    }

    @Test
    void eliminateTrivialFilter() {
        assertThat(apply(new EliminateTrivialFilter(), new LogicalFilter(List.of(), left)))
                .contains(left);
        assertThat(apply(new EliminateTrivialFilter(), new LogicalFilter(List.of(is(a, 1), Literal.of(false)), left)))
                .contains(LogicalValues.empty(left.output()));
        assertThat(apply(new EliminateTrivialFilter(), new LogicalFilter(List.of(is(a, 1)), left)))
                .isEmpty();
    }

    @Test
    void mergeProjects() {
        Alias inner = new Alias(ids.next(), "n", Calls.not(is(a, 1)));
        Alias once = new Alias(ids.next(), "m", Calls.isNull(inner.toSlot()));
        Alias again = new Alias(ids.next(), "o", Calls.not(inner.toSlot()));
        Plan below = new LogicalProject(List.of(inner), left);
        assertThat(apply(new MergeProjects(), new LogicalProject(List.of(once), below)))
                .contains(new LogicalProject(List.of(new Alias(once.id(), "m", Calls.isNull(inner.child()))), left));
        assertThat(apply(new MergeProjects(), new LogicalProject(List.of(once, again), below)))
                .isEmpty();
    }

    @Test
    void mergeLimits() {
        assertThat(apply(new MergeLimits(), new LogicalLimit(3, 1, new LogicalLimit(5, 2, left))))
                .contains(new LogicalLimit(3, 3, left));
        assertThat(apply(new MergeLimits(), new LogicalLimit(9, 2, new LogicalLimit(5, 0, left))))
                .contains(new LogicalLimit(3, 2, left));
        assertThat(apply(new MergeLimits(), new LogicalLimit(0, 0, left))).contains(LogicalValues.empty(left.output()));
        assertThat(apply(new MergeLimits(), new LogicalLimit(3, 0, left))).isEmpty();
    }

    @Test
    void sortLimitToTopN() {
        List<SortKey> keys = List.of(new SortKey(a, true, true));
        assertThat(apply(new SortLimitToTopN(), new LogicalLimit(3, 1, new LogicalSort(keys, left))))
                .contains(new LogicalTopN(keys, 3, 1, left));
        assertThat(apply(new SortLimitToTopN(), new LogicalLimit(-1, 1, new LogicalSort(keys, left))))
                .isEmpty();
    }

    @Test
    void evaluateOverValues() {
        Plan values = new LogicalValues(List.of(a), List.of(List.of(Literal.integer(1)), List.of(Literal.integer(2))));
        assertThat(apply(new EvaluateOverValues(), new LogicalFilter(List.of(is(a, 2)), values)))
                .contains(new LogicalValues(List.of(a), List.of(List.of(Literal.integer(2)))));
        assertThat(apply(new EvaluateOverValues(), new LogicalFilter(List.of(is(a, 2)), left)))
                .isEmpty();
    }

    @Test
    void pushFilterThroughProject() {
        Alias renamed = new Alias(ids.next(), "r", a);
        Plan project = new LogicalProject(List.of(renamed), left);
        assertThat(apply(new PushFilterThroughProject(), new LogicalFilter(List.of(is(renamed.toSlot(), 1)), project)))
                .contains(new LogicalProject(List.of(renamed), new LogicalFilter(List.of(is(a, 1)), left)));
        Plan random = new LogicalProject(List.of(new Alias(renamed.id(), "r", new Unknown().value())), left);
        assertThat(apply(new PushFilterThroughProject(), new LogicalFilter(List.of(is(renamed.toSlot(), 1)), random)))
                .isEmpty();
    }

    @Test
    void pushFilterThroughInnerJoin() {
        Plan join = new LogicalJoin(JoinKind.INNER, List.of(), left, right);
        Expr both = Calls.compare("lt", a, x);
        assertThat(apply(new PushFilterThroughJoin(), new LogicalFilter(List.of(is(a, 1), is(y, 2), both), join)))
                .contains(new LogicalJoin(
                        JoinKind.INNER,
                        List.of(both),
                        new LogicalFilter(List.of(is(a, 1)), left),
                        new LogicalFilter(List.of(is(y, 2)), right)));
    }

    @Test
    void pushFilterFollowsEqualities() {
        Plan join = new LogicalJoin(JoinKind.INNER, List.of(Calls.eq(a, x)), left, right);
        Plan pushed = apply(new PushFilterThroughJoin(), new LogicalFilter(List.of(is(a, 1)), join))
                .orElseThrow();
        assertThat(pushed.child(0)).isEqualTo(new LogicalFilter(List.of(is(a, 1)), left));
        assertThat(pushed.child(1)).isEqualTo(new LogicalFilter(List.of(is(x, 1)), right));
    }

    @Test
    void pushFilterTakesEachSidesPartOfAnAlternative() {
        Plan join = new LogicalJoin(JoinKind.INNER, List.of(), left, right);
        Expr either = or(and(is(a, 1), is(x, 1)), and(is(a, 2), is(x, 2)));
        Plan pushed = apply(new PushFilterThroughJoin(), new LogicalFilter(List.of(either), join))
                .orElseThrow();
        assertThat(pushed.child(0)).isEqualTo(new LogicalFilter(List.of(or(is(a, 1), is(a, 2))), left));
        assertThat(pushed.expressions()).containsExactly(either);
    }

    @Test
    void pushFilterStopsAtThePaddedSide() {
        Plan join = new LogicalJoin(JoinKind.LEFT_OUTER, List.of(Calls.eq(a, x)), left, right);
        Expr missing = Calls.isNull(x);
        assertThat(apply(new PushFilterThroughJoin(), new LogicalFilter(List.of(missing), join)))
                .isEmpty();
        Plan pushed = apply(new PushFilterThroughJoin(), new LogicalFilter(List.of(missing, is(a, 1)), join))
                .orElseThrow();
        assertThat(pushed).isInstanceOf(LogicalFilter.class);
        assertThat(pushed.expressions()).containsExactly(missing);
    }

    @Test
    void pushJoinConditions() {
        Plan join = new LogicalJoin(JoinKind.LEFT_OUTER, List.of(Calls.eq(a, x), is(y, 1), is(b, 1)), left, right);
        assertThat(apply(new PushJoinConditions(), join))
                .contains(new LogicalJoin(
                        JoinKind.LEFT_OUTER,
                        List.of(Calls.eq(a, x), is(b, 1)),
                        left,
                        new LogicalFilter(List.of(is(y, 1)), right)));
        assertThat(apply(
                        new PushJoinConditions(),
                        new LogicalJoin(JoinKind.FULL_OUTER, List.of(Calls.eq(a, x), is(y, 1)), left, right)))
                .isEmpty();
    }

    @Test
    void pushFilterThroughAggregate() {
        Plan aggregate = new LogicalAggregate(List.of(a), List.of(), left);
        assertThat(apply(new PushFilterThroughAggregate(), new LogicalFilter(List.of(is(a, 1)), aggregate)))
                .contains(new LogicalAggregate(List.of(a), List.of(), new LogicalFilter(List.of(is(a, 1)), left)));
        Alias count = new Alias(ids.next(), "c", FUNCTIONS.aggregate("count", List.of(), false, List.of()));
        Plan counted = new LogicalAggregate(List.of(), List.of(count), left);
        assertThat(apply(new PushFilterThroughAggregate(), new LogicalFilter(List.of(is(count.toSlot(), 0)), counted)))
                .isEmpty();
    }

    @Test
    void pushFilterThroughUnion() {
        Plan union = new LogicalUnion(List.of(slot("u"), slot("v")), List.of(left, right));
        Plan pushed = apply(
                        new PushFilterThroughUnion(),
                        new LogicalFilter(List.of(is(union.output().get(0), 1)), union))
                .orElseThrow();
        assertThat(pushed.child(0)).isEqualTo(new LogicalFilter(List.of(is(a, 1)), left));
        assertThat(pushed.child(1)).isEqualTo(new LogicalFilter(List.of(is(x, 1)), right));
    }

    @Test
    void pushLimitThroughUnionOnce() {
        Plan big = new LogicalProject(List.of(a), new LogicalJoin(JoinKind.INNER, List.of(), left, right));
        Plan union = new LogicalUnion(List.of(slot("u")), List.of(big, big));
        Plan pushed = apply(new PushLimitThroughUnion(), new LogicalLimit(5, 1, union))
                .orElseThrow();
        assertThat(pushed.child(0).child(0)).isEqualTo(new LogicalLimit(6, 0, big));
        assertThat(apply(new PushLimitThroughUnion(), pushed)).isEmpty();
    }

    @Test
    void extractSharedFactors() {
        Expr either = or(and(is(a, 1), is(b, 1)), and(is(a, 1), is(b, 2)));
        assertThat(apply(new ExtractSharedFactors(), new LogicalFilter(List.of(either), left)))
                .contains(new LogicalFilter(List.of(is(a, 1), or(is(b, 1), is(b, 2))), left));
        assertThat(apply(new ExtractSharedFactors(), new LogicalFilter(List.of(or(is(a, 1), is(b, 2))), left)))
                .isEmpty();
    }

    @Test
    void orToInList() {
        assertThat(apply(new OrToInList(), new LogicalFilter(List.of(or(is(a, 1), is(a, 2))), left)))
                .contains(new LogicalFilter(
                        List.of(new InList(a, List.of(Literal.integer(1), Literal.integer(2)), false)), left));
        assertThat(apply(new OrToInList(), new LogicalFilter(List.of(or(is(a, 1), is(b, 2))), left)))
                .isEmpty();
    }

    @Test
    void eliminateOuterJoin() {
        Plan join = new LogicalJoin(JoinKind.LEFT_OUTER, List.of(Calls.eq(a, x)), left, right);
        Plan inner = apply(new EliminateOuterJoin(), new LogicalFilter(List.of(is(y, 1)), join))
                .orElseThrow();
        assertThat(((LogicalJoin) inner.child(0)).kind()).isEqualTo(JoinKind.INNER);
        assertThat(apply(new EliminateOuterJoin(), new LogicalFilter(List.of(Calls.isNull(y)), join)))
                .isEmpty();
        Plan full = new LogicalJoin(JoinKind.FULL_OUTER, List.of(Calls.eq(a, x)), left, right);
        Plan half = apply(new EliminateOuterJoin(), new LogicalFilter(List.of(is(b, 1)), full))
                .orElseThrow();
        assertThat(((LogicalJoin) half.child(0)).kind()).isEqualTo(JoinKind.LEFT_OUTER);
    }

    @Test
    void eliminateEmpty() {
        Plan nothing = LogicalValues.empty(right.output());
        assertThat(apply(new EliminateEmpty(), new LogicalJoin(JoinKind.INNER, List.of(), left, nothing)))
                .isPresent();
        assertThat(apply(new EliminateEmpty(), new LogicalJoin(JoinKind.LEFT_OUTER, List.of(), left, nothing)))
                .isEmpty();
        assertThat(apply(new EliminateEmpty(), new LogicalAggregate(List.of(), List.of(), nothing)))
                .isEmpty();
        assertThat(apply(new EliminateEmpty(), new LogicalAggregate(List.of(x), List.of(), nothing)))
                .isPresent();
    }

    @Test
    void rewriteDistinctAggregates() {
        Alias distinct = new Alias(ids.next(), "d", FUNCTIONS.aggregate("count", List.of(b), true, List.of()));
        Plan rewritten = apply(
                        new RewriteDistinctAggregates(), new LogicalAggregate(List.of(a), List.of(distinct), left))
                .orElseThrow();
        assertThat(rewritten.child(0)).isEqualTo(new LogicalAggregate(List.of(a, b), List.of(), left));
        Alias plain = new Alias(ids.next(), "p", FUNCTIONS.aggregate("count", List.of(b), false, List.of()));
        assertThat(apply(new RewriteDistinctAggregates(), new LogicalAggregate(List.of(a), List.of(plain), left)))
                .isEmpty();
    }

    @Test
    void shareAggregateArguments() {
        Expr product = new ScalarCall("multiply", List.of(a, b), DataType.INT, NullMode.PROPAGATE, false);
        Expr more = new ScalarCall("multiply", List.of(product, a), DataType.INT, NullMode.PROPAGATE, false);
        Alias first = new Alias(ids.next(), "f", FUNCTIONS.aggregate("max", List.of(product), false, List.of()));
        Alias second = new Alias(ids.next(), "s", FUNCTIONS.aggregate("max", List.of(more), false, List.of()));
        Plan shared = apply(
                        new ShareAggregateArguments(), new LogicalAggregate(List.of(), List.of(first, second), left))
                .orElseThrow();
        assertThat(shared.child(0).output()).hasSize(3);
        assertThat(apply(new ShareAggregateArguments(), shared)).isEmpty();
        assertThat(apply(new ShareAggregateArguments(), new LogicalAggregate(List.of(), List.of(first), left)))
                .isEmpty();
    }
}
