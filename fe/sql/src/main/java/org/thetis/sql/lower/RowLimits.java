// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.lower;

import java.util.Map;
import org.thetis.sql.ast.Query;
import org.thetis.sql.ast.QueryBody;
import org.thetis.sql.plan.LogicalLimit;
import org.thetis.sql.plan.Plan;

/** The row limits that session variables put on a query without a LIMIT of its own. */
final class RowLimits {
    private RowLimits() {}

    static Plan apply(Query query, Plan plan, Map<String, String> variables) {
        Query inner = query;
        while (inner.limit() == null
                && inner.body() instanceof QueryBody.Nested nested
                && inner.orderBy().isEmpty()) {
            inner = nested.query();
        }
        if (inner.limit() != null) {
            return plan;
        }
        long limit = limit(variables, "sql_select_limit");
        if (!inner.orderBy().isEmpty()) {
            limit = Math.min(limit, limit(variables, "default_order_by_limit"));
        }
        return limit == Long.MAX_VALUE ? plan : new LogicalLimit(limit, 0, plan);
    }

    /** The variable's value; negative ones, as the default may be, limit nothing. */
    private static long limit(Map<String, String> variables, String name) {
        String text = variables.get(name);
        long value = text == null ? -1 : Long.parseLong(text);
        return value < 0 ? Long.MAX_VALUE : value;
    }
}
