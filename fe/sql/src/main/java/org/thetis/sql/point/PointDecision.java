// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.point;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether a query is answered by key look-ups.
 *
 * @param plan null when it is not
 * @param reason why not, null when it is
 * @param namesKeys whether the query asks a table of the right kind for rows with equal keys, so that the reason is of interest
 * @param open ordinals of the parameters (or literals) that any value may be given for
 */
public record PointDecision(@Nullable PointPlan plan, @Nullable String reason, boolean namesKeys, Set<Integer> open) {
    /** Copies the set. */
    public PointDecision {
        open = Set.copyOf(open);
    }

    static PointDecision no(String reason, boolean namesKeys) {
        return new PointDecision(null, reason, namesKeys, Set.of());
    }
}
