// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import java.util.List;
import org.thetis.sql.expr.SlotReference;

/** A node with one input. */
public interface UnaryPlan extends Plan {
    /** The input. */
    Plan child();

    /** The same operation over another input. */
    Plan withChild(Plan child);

    @Override
    default List<Plan> children() {
        return List.of(child());
    }

    @Override
    default Plan withChildren(List<Plan> children) {
        return withChild(children.get(0));
    }

    @Override
    default List<SlotReference> output() {
        return child().output();
    }
}
