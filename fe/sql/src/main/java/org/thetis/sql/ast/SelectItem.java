// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.SourcePosition;

/** One item of a select list. */
public sealed interface SelectItem {
    /** An expression; alias is null when not given, text is its source text and names the column then. */
    record Single(Expression expression, @Nullable String alias, String text) implements SelectItem {}

    /** * or t.*, less the columns of EXCEPT, with the expressions of REPLACE put in place. */
    record All(SourcePosition position, List<String> qualifier, List<String> except, List<Single> replace)
            implements SelectItem {
        /** Copies the collections. */
        public All {
            qualifier = List.copyOf(qualifier);
            except = List.copyOf(except);
            replace = List.copyOf(replace);
        }
    }
}
