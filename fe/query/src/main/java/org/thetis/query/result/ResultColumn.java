// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.result;

import org.jspecify.annotations.Nullable;
import org.thetis.catalog.type.DataType;
import org.thetis.sql.expr.ColumnOrigin;

/** A column of a result as clients see it; origin is set when it is a table's column unchanged. */
public record ResultColumn(String name, DataType type, @Nullable ColumnOrigin origin) {
    public static ResultColumn of(String name, DataType type) {
        return new ResultColumn(name, type, null);
    }

    /** A text column, as SHOW statements have them. */
    public static ResultColumn text(String name) {
        return of(name, DataType.VARCHAR);
    }
}
