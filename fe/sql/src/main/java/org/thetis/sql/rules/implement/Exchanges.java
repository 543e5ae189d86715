// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.implement;

import org.thetis.sql.plan.Distribution;
import org.thetis.sql.plan.PhysicalExchange;
import org.thetis.sql.plan.PhysicalPlan;
import org.thetis.sql.plan.Plan;

/** Exchanges that several rules insert. */
final class Exchanges {
    private Exchanges() {}

    /** The plan's rows on one back end. */
    static Plan gather(Plan plan) {
        return ((PhysicalPlan) plan).distribution().isSingle() ? plan : PhysicalExchange.to(Distribution.SINGLE, plan);
    }
}
