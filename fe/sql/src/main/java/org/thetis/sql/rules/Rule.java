// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules;

import java.util.Optional;
import org.thetis.sql.plan.Plan;

/**
 * One rewriting of plans. Rules hold no state; each lives in the folder of its phase, which applies all its rules until none
 * fires. A rule is switched off by its name, the class name in snake case.
 */
public interface Rule {
    /** Shape of the plans that the rule looks at. */
    Pattern pattern();

    /** The plan to put in place of the matched one, or empty when there is nothing to do. */
    Optional<Plan> apply(Match match, RuleContext context);

    /** Whether the rule rewrites a whole tree at once; such rules see the root only, after the others are done. */
    default boolean isWholeTree() {
        return false;
    }

    /** Name for switching the rule off and for EXPLAIN. */
    default String name() {
        return RuleNames.of(getClass());
    }
}
