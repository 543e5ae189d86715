// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.sql.plan.LogicalAggregate;
import org.thetis.sql.plan.LogicalFilter;
import org.thetis.sql.plan.LogicalJoin;
import org.thetis.sql.plan.LogicalLimit;
import org.thetis.sql.plan.LogicalProject;
import org.thetis.sql.plan.LogicalScan;
import org.thetis.sql.plan.LogicalSort;
import org.thetis.sql.plan.LogicalUnion;
import org.thetis.sql.plan.Plan;

/** Shape of a plan: the class of a node (any when null) and shapes of its inputs (not looked at when null). */
public record Pattern(@Nullable Class<? extends Plan> type, @Nullable List<Pattern> children) {
    private static final Pattern ANY = new Pattern(null, null);

    /** Any plan. */
    public static Pattern any() {
        return ANY;
    }

    /** A node of a class over any inputs. */
    public static Pattern of(Class<? extends Plan> type) {
        return new Pattern(type, null);
    }

    /** A node of a class over inputs of given shapes. */
    public static Pattern of(Class<? extends Plan> type, Pattern... children) {
        return new Pattern(type, List.of(children));
    }

    public static Pattern filter(Pattern child) {
        return of(LogicalFilter.class, child);
    }

    public static Pattern project(Pattern child) {
        return of(LogicalProject.class, child);
    }

    public static Pattern limit(Pattern child) {
        return of(LogicalLimit.class, child);
    }

    public static Pattern sort(Pattern child) {
        return of(LogicalSort.class, child);
    }

    public static Pattern aggregate(Pattern child) {
        return of(LogicalAggregate.class, child);
    }

    public static Pattern join() {
        return of(LogicalJoin.class);
    }

    public static Pattern scan() {
        return of(LogicalScan.class);
    }

    public static Pattern union() {
        return of(LogicalUnion.class);
    }

    /** Whether the plan has this shape. */
    public boolean matches(Plan plan) {
        if (type != null && !type.isInstance(plan)) {
            return false;
        }
        if (children == null) {
            return true;
        }
        if (children.size() != plan.children().size()) {
            return false;
        }
        for (int i = 0; i < children.size(); i++) {
            if (!children.get(i).matches(plan.child(i))) {
                return false;
            }
        }
        return true;
    }
}
