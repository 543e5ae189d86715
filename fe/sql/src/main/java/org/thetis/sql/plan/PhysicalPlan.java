// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import java.util.List;
import org.thetis.sql.expr.Expr;

/** A step of a plan as back ends run it. */
public interface PhysicalPlan extends Plan {
    /** Estimated rows of the output. */
    double rows();

    /** How the output is spread. */
    Distribution distribution();

    /** Name in fragment EXPLAIN, such as VHASH JOIN. */
    String explainName();

    /** Further lines of fragment EXPLAIN. */
    List<String> explainLines();

    /** What SHAPE prints of the node. */
    default String shape() {
        return nodeName();
    }

    /** The i-th input as a physical plan. */
    default PhysicalPlan input(int i) {
        return (PhysicalPlan) child(i);
    }

    @Override
    default String details() {
        return String.join(", ", explainLines());
    }

    @Override
    default List<Expr> expressions() {
        return List.of();
    }
}
