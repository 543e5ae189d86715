// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.show;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.Expression;
import org.thetis.sql.ast.Limit;
import org.thetis.sql.ast.SortItem;

/** What narrows a SHOW: LIKE pattern, WHERE condition over its columns, order and limit. */
public record ShowFilter(
        @Nullable String like, @Nullable Expression where, List<SortItem> orderBy, @Nullable Limit limit) {
    /** Copies the collections. */
    public ShowFilter {
        orderBy = List.copyOf(orderBy);
    }
}
