// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.ddl;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.SourcePosition;
import org.thetis.sql.ast.Expression;
import org.thetis.sql.ast.TypeName;

/**
 * One column of a table. nullable is null when the text does not say; aggregate is upper-case; autoIncrement is
 * the start value.
 */
public record ColumnDefinition(
        SourcePosition position,
        String name,
        @Nullable TypeName type,
        boolean key,
        @Nullable String aggregate,
        @Nullable Boolean nullable,
        @Nullable Expression generated,
        @Nullable Long autoIncrement,
        @Nullable DefaultValue defaultValue,
        @Nullable DefaultValue onUpdate,
        @Nullable String comment,
        List<IgnoredClause> ignored) {
    /** Copies the collections. */
    public ColumnDefinition {
        ignored = List.copyOf(ignored);
    }
}
