// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.implement;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.OperatorNames;
import org.thetis.sql.expr.ScalarCall;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.functions.Calls;
import org.thetis.sql.plan.Distribution;
import org.thetis.sql.plan.JoinKind;
import org.thetis.sql.plan.LogicalJoin;
import org.thetis.sql.plan.PhysicalExchange;
import org.thetis.sql.plan.PhysicalHashJoin;
import org.thetis.sql.plan.PhysicalNestedLoopJoin;
import org.thetis.sql.plan.PhysicalPlan;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.Match;
import org.thetis.sql.rules.Pattern;
import org.thetis.sql.rules.Rule;
import org.thetis.sql.rules.RuleContext;

/** Join with equalities -> hash join with the cheapest way of bringing the inputs together; without -> nested loops. */
public record ImplementJoin() implements Rule {
    @Override
    public Pattern pattern() {
        return Pattern.join();
    }

    @Override
    public Optional<Plan> apply(Match match, RuleContext context) {
        LogicalJoin join = match.root(LogicalJoin.class);
        double rows = context.estimator().rows(join);
        Set<SlotReference> left = new HashSet<>(join.left().output());
        Set<SlotReference> right = new HashSet<>(join.right().output());
        List<Expr> probe = new ArrayList<>();
        List<Expr> build = new ArrayList<>();
        List<Boolean> nullSafe = new ArrayList<>();
        List<Expr> others = new ArrayList<>();
        for (Expr condition : join.conditions()) {
            boolean safe = Calls.is(condition, "eq_for_null");
            if (!safe && !Calls.is(condition, "eq")) {
                others.add(condition);
                continue;
            }
            ScalarCall equality = (ScalarCall) condition;
            if (isKey(equality.child(0), left) && isKey(equality.child(1), right)) {
                probe.add(equality.child(0));
                build.add(equality.child(1));
                nullSafe.add(safe);
            } else if (isKey(equality.child(1), left) && isKey(equality.child(0), right)) {
                ScalarCall mirrored = (ScalarCall)
                        Calls.compare(OperatorNames.mirrored(equality.name()), equality.child(1), equality.child(0));
                probe.add(mirrored.child(0));
                build.add(mirrored.child(1));
                nullSafe.add(safe);
            } else {
                others.add(condition);
            }
        }
        if (probe.isEmpty()) {
            return Optional.of(nestedLoops(join, rows));
        }
        JoinPlacement placement = JoinPlacement.choose(join, probe, build, nullSafe.contains(true), context);
        return Optional.of(new PhysicalHashJoin(
                join.kind(),
                probe,
                build,
                nullSafe,
                others,
                placement.spread(),
                placement.output(),
                placement.left(),
                placement.right(),
                rows));
    }

    private static boolean isKey(Expr side, Set<SlotReference> slots) {
        Set<SlotReference> used = side.slots();
        return !used.isEmpty() && slots.containsAll(used);
    }

    private static Plan nestedLoops(LogicalJoin join, double rows) {
        PhysicalPlan left = (PhysicalPlan) join.left();
        PhysicalPlan right = (PhysicalPlan) join.right();
        boolean keepsBuildRows = join.kind() == JoinKind.RIGHT_OUTER
                || join.kind() == JoinKind.FULL_OUTER
                || join.kind() == JoinKind.RIGHT_SEMI
                || join.kind() == JoinKind.RIGHT_ANTI;
        if (left.distribution().isSingle() || keepsBuildRows) {
            return new PhysicalNestedLoopJoin(
                    join.kind(),
                    join.conditions(),
                    Distribution.SINGLE,
                    Exchanges.gather(left),
                    Exchanges.gather(right),
                    rows);
        }
        return new PhysicalNestedLoopJoin(
                join.kind(),
                join.conditions(),
                left.distribution(),
                left,
                PhysicalExchange.to(Distribution.BROADCAST, right),
                rows);
    }
}
