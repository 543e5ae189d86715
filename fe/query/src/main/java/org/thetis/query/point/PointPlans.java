// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.point;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.snapshot.CatalogSnapshot;
import org.thetis.query.session.PreparedStatement;
import org.thetis.query.session.Session;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.point.PointPlan;

/**
 * Where event loops find the plan of a statement without planning: only what is there already and holds now. Null means that the
 * ordinary path has to do it, which also makes plans. Called on event loops: must not block.
 */
public interface PointPlans {
    /** No plans: every statement takes the ordinary path. */
    PointPlans NONE = new PointPlans() {
        @Override
        public @Nullable PointPlan ofPrepared(Session session, PreparedStatement statement, CatalogSnapshot now) {
            return null;
        }

        @Override
        public @Nullable TextMatch ofText(Session session, String sql, CatalogSnapshot now) {
            return null;
        }
    };

    /** The plan of a prepared statement that holds for the session and this catalog. */
    @Nullable
    PointPlan ofPrepared(Session session, PreparedStatement statement, CatalogSnapshot now);

    /** The plan of a text that is one statement, and the literals found in its place of parameters. */
    @Nullable
    TextMatch ofText(Session session, String sql, CatalogSnapshot now);

    /** A plan with the values a text has for its parameters. */
    record TextMatch(PointPlan plan, List<Literal> parameters) {}
}
