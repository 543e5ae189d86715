// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.ddl;

import org.jspecify.annotations.Nullable;
import org.thetis.base.error.SourcePosition;

/**
 * DEFAULT or ON UPDATE of a column. text is the literal without quotes for LITERAL (a leading minus included);
 * precision belongs to CURRENT_TIMESTAMP(s).
 */
public record DefaultValue(SourcePosition position, Kind kind, @Nullable String text, @Nullable Integer precision) {
    /** What the value is. */
    public enum Kind {
        LITERAL,
        NULL,
        CURRENT_TIMESTAMP,
        CURRENT_DATE,
        PI,
        E,
        BITMAP_EMPTY,
        EMPTY_ARRAY
    }
}
