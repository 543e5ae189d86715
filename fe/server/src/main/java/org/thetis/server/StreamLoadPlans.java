// SPDX-License-Identifier: Apache-2.0
package org.thetis.server;

import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.OlapTable;
import org.thetis.query.load.LoadHeaders;
import org.thetis.query.load.StreamLoadPlanner;
import org.thetis.query.schedule.PlannerContexts;
import org.thetis.query.session.StatementContext;
import org.thetis.sql.lower.LoadTransaction;
import org.thetis.sql.lower.Planner;
import org.thetis.wire.thrift.FragmentPlan;

/** Plans stream loads with the statement planner. */
final class StreamLoadPlans implements StreamLoadPlanner {
    private final Planner planner;
    private final PlannerContexts contexts;

    StreamLoadPlans(Planner planner, PlannerContexts contexts) {
        this.planner = planner;
        this.contexts = contexts;
    }

    @Override
    public FragmentPlan plan(
            StatementContext context, String database, OlapTable table, LoadHeaders headers, LoadTransaction transaction) {
        throw ThetisException.notSupported("stream load " + planner + contexts);
    }
}
