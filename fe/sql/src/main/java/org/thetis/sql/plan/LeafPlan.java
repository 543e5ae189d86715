// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import java.util.List;
import org.thetis.sql.expr.Expr;

/** A node without inputs. */
public interface LeafPlan extends Plan {
    @Override
    default List<Plan> children() {
        return List.of();
    }

    @Override
    default Plan withChildren(List<Plan> children) {
        return this;
    }

    @Override
    default List<Expr> expressions() {
        return List.of();
    }
}
