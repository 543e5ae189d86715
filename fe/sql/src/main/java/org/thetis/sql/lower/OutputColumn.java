// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.lower;

import org.jspecify.annotations.Nullable;
import org.thetis.catalog.type.DataType;
import org.thetis.sql.expr.ColumnOrigin;

/**
 * A column of a result, as a MySQL column definition needs it.
 *
 * @param tableAlias the name the table has in the statement; null for computed columns
 * @param origin the stored column that it shows unchanged; null for computed columns
 */
public record OutputColumn(
        String name, DataType type, boolean nullable, @Nullable String tableAlias, @Nullable ColumnOrigin origin) {}
