// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.schedule;

import org.thetis.query.session.StatementContext;
import org.thetis.sql.lower.PlannerContext;

/** Gives a statement what it is planned with: the current catalog, session and back ends. */
@FunctionalInterface
public interface PlannerContexts {
    PlannerContext create(StatementContext statement);
}
