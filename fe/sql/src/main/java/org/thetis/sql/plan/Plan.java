// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.expr.SubqueryPlan;

/** A node of an immutable plan tree. */
public interface Plan extends SubqueryPlan {
    /** Inputs in order. */
    List<Plan> children();

    /** The same operation over other inputs. */
    Plan withChildren(List<Plan> children);

    /** Columns of the result, in order. */
    @Override
    List<SlotReference> output();

    /** Expressions that the node itself evaluates. */
    List<Expr> expressions();

    /** The node's own details for a tree print, without its name. */
    String details();

    /** The i-th input. */
    default Plan child(int i) {
        return children().get(i);
    }

    /** Name of the node in tree prints. */
    default String nodeName() {
        return getClass().getSimpleName();
    }

    /** Rebuilds the tree bottom-up, applying the function to every node. */
    default Plan rewriteUp(UnaryOperator<Plan> function) {
        List<Plan> before = children();
        if (before.isEmpty()) {
            return function.apply(this);
        }
        List<Plan> after = new ArrayList<>(before.size());
        boolean changed = false;
        for (Plan child : before) {
            Plan replaced = child.rewriteUp(function);
            changed |= replaced != child;
            after.add(replaced);
        }
        return function.apply(changed ? withChildren(after) : this);
    }
}
