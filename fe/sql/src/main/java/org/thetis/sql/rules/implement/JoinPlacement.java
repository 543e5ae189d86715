// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.implement;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.plan.Distribution;
import org.thetis.sql.plan.JoinHint;
import org.thetis.sql.plan.JoinKind;
import org.thetis.sql.plan.JoinSpread;
import org.thetis.sql.plan.LogicalJoin;
import org.thetis.sql.plan.PhysicalExchange;
import org.thetis.sql.plan.PhysicalPlan;
import org.thetis.sql.plan.Plan;
import org.thetis.sql.rules.RuleContext;

/** How the inputs of a hash join are brought together, and how its output is spread then. */
record JoinPlacement(JoinSpread spread, Distribution output, Plan left, Plan right) {
    /** Takes the way that sends the fewest rows over the wire. */
    static JoinPlacement choose(
            LogicalJoin join, List<Expr> probe, List<Expr> build, boolean nullSafe, RuleContext context) {
        PhysicalPlan left = (PhysicalPlan) join.left();
        PhysicalPlan right = (PhysicalPlan) join.right();
        if (left.distribution().isSingle() && right.distribution().isSingle()) {
            return new JoinPlacement(JoinSpread.BROADCAST, Distribution.SINGLE, left, right);
        }
        boolean canBroadcast = canBroadcast(join.kind()) && !left.distribution().isSingle();
        boolean mustBroadcast = join.kind() == JoinKind.NULL_AWARE_LEFT_ANTI;
        if (mustBroadcast) {
            return canBroadcast ? broadcast(left, right) : gathered(left, right);
        }
        // With <=> a NULL key meets a NULL key, and storage puts NULL where the exchange's hash may not.
        JoinPlacement colocated =
                nullSafe || join.hint() == JoinHint.SHUFFLE ? null : colocated(join.kind(), left, right, probe, build);
        if (colocated != null) {
            return colocated;
        }
        int backends = Math.max(1, context.sites().numBackends());
        double broadcastCost = right.rows() * backends;
        double shuffleCost = left.rows() + right.rows();
        Distribution bucketTarget = nullSafe ? null : matching(left.distribution(), probe, build);
        boolean bucketOn = context.isOn("enable_bucket_shuffle_join", true);
        if (join.hint() == JoinHint.BROADCAST && canBroadcast) {
            return broadcast(left, right);
        }
        if (join.hint() == JoinHint.NONE
                && bucketTarget != null
                && bucketOn
                && (!canBroadcast || right.rows() <= broadcastCost)) {
            return new JoinPlacement(
                    left.distribution().kind() == Distribution.Kind.BUCKET
                            ? JoinSpread.BUCKET_SHUFFLE
                            : JoinSpread.PARTITIONED,
                    outputOf(join.kind(), left.distribution()),
                    left,
                    PhysicalExchange.to(bucketTarget, right));
        }
        if (join.hint() == JoinHint.NONE && canBroadcast && broadcastCost <= shuffleCost) {
            return broadcast(left, right);
        }
        Distribution target = Distribution.hash(probe);
        return new JoinPlacement(
                JoinSpread.PARTITIONED,
                outputOf(join.kind(), target),
                PhysicalExchange.to(target, left),
                PhysicalExchange.to(Distribution.hash(build), right));
    }

    private static boolean canBroadcast(JoinKind kind) {
        return switch (kind) {
            case INNER, LEFT_OUTER, LEFT_SEMI, LEFT_ANTI, NULL_AWARE_LEFT_ANTI -> true;
            default -> false;
        };
    }

    private static JoinPlacement broadcast(PhysicalPlan left, PhysicalPlan right) {
        return new JoinPlacement(
                JoinSpread.BROADCAST, left.distribution(), left, PhysicalExchange.to(Distribution.BROADCAST, right));
    }

    private static JoinPlacement gathered(PhysicalPlan left, PhysicalPlan right) {
        return new JoinPlacement(
                JoinSpread.BROADCAST, Distribution.SINGLE, Exchanges.gather(left), Exchanges.gather(right));
    }

    /** Left rows stay where they are; padding with NULL on the left breaks the promise. */
    private static Distribution outputOf(JoinKind kind, Distribution left) {
        return kind.padsLeft() || !kind.keepsLeft() ? Distribution.RANDOM : left;
    }

    /** The left distribution said in the right side's keys, or null when its keys are not all join keys. */
    private static @Nullable Distribution matching(Distribution left, List<Expr> probe, List<Expr> build) {
        if (left.keys().isEmpty()) {
            return null;
        }
        List<Expr> keys = new ArrayList<>();
        for (Expr key : left.keys()) {
            int at = probe.indexOf(key);
            if (at < 0
                    || left.kind() == Distribution.Kind.BUCKET
                            && !build.get(at).type().equals(key.type())) {
                return null;
            }
            keys.add(build.get(at));
        }
        return new Distribution(left.kind(), keys, left.layout());
    }

    private static @Nullable JoinPlacement colocated(
            JoinKind kind, PhysicalPlan left, PhysicalPlan right, List<Expr> probe, List<Expr> build) {
        Distribution wanted = matching(left.distribution(), probe, build);
        if (wanted == null || !wanted.equals(right.distribution())) {
            return null;
        }
        JoinSpread spread = wanted.kind() == Distribution.Kind.BUCKET ? JoinSpread.COLOCATE : JoinSpread.PARTITIONED;
        return new JoinPlacement(spread, outputOf(kind, left.distribution()), left, right);
    }
}
