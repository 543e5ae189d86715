// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** OVER (...). frame is null when the text gives none. */
public record WindowSpecification(List<Expression> partitionBy, List<SortItem> orderBy, @Nullable WindowFrame frame) {
    /** Copies the collections. */
    public WindowSpecification {
        partitionBy = List.copyOf(partitionBy);
        orderBy = List.copyOf(orderBy);
    }
}
