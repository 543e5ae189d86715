// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.SourcePosition;

/** A complete query expression. with is visible in body, orderBy and limit. */
public record Query(
        SourcePosition position, List<NamedQuery> with, QueryBody body, List<SortItem> orderBy, @Nullable Limit limit) {
    /** Copies the collections. */
    public Query {
        with = List.copyOf(with);
        orderBy = List.copyOf(orderBy);
    }
}
