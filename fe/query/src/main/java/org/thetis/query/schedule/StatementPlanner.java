// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.schedule;

import org.thetis.sql.ast.Statement;
import org.thetis.sql.lower.PlannedQuery;
import org.thetis.sql.lower.PlannerContext;

/** Turns a statement into a plan. Thread-safe. */
@FunctionalInterface
public interface StatementPlanner {
    PlannedQuery plan(Statement statement, PlannerContext context);
}
