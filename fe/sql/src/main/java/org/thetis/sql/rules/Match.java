// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules;

import org.thetis.sql.plan.Plan;

/** A plan that has the shape a rule asked for. */
public record Match(Plan root) {
    /** The matched node as its class. */
    public <T extends Plan> T root(Class<T> type) {
        return type.cast(root);
    }

    /** The first input of the matched node as its class. */
    public <T extends Plan> T child(Class<T> type) {
        return type.cast(root.child(0));
    }
}
