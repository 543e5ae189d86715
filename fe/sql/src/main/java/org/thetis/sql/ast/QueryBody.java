// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.SourcePosition;

/** The part of a query between WITH and ORDER BY. */
public sealed interface QueryBody {
    /** Where the body starts. */
    SourcePosition position();

    /** SELECT ... . from is null without a FROM clause; groupBy is null without GROUP BY. */
    record Select(
            SourcePosition position,
            List<Hint> hints,
            boolean distinct,
            List<SelectItem> items,
            @Nullable Relation from,
            @Nullable Expression where,
            @Nullable GroupBy groupBy,
            @Nullable Expression having,
            @Nullable Expression qualify)
            implements QueryBody {
        /** Copies the collections. */
        public Select {
            hints = List.copyOf(hints);
            items = List.copyOf(items);
        }
    }

    /** UNION, INTERSECT or EXCEPT of two bodies. */
    record SetOperation(SourcePosition position, SetOperator operator, boolean all, QueryBody left, QueryBody right)
            implements QueryBody {}

    /** VALUES (a, b), (c, d). */
    record Values(SourcePosition position, List<List<Expression>> rows) implements QueryBody {
        /** Copies the collections. */
        public Values {
            rows = List.copyOf(rows);
        }
    }

    /** A query in parentheses with its own WITH, ORDER BY and LIMIT. */
    record Nested(SourcePosition position, Query query) implements QueryBody {}
}
