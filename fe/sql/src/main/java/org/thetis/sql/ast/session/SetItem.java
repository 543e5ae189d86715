// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.session;

import com.google.common.collect.ImmutableMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.Expression;
import org.thetis.sql.ast.UserIdentity;
import org.thetis.sql.ast.VariableScope;

/** One item of SET. */
public sealed interface SetItem {
    /**
     * A system variable. value is null for DEFAULT; a bare word such as ON or STRICT arrives as a ColumnReference
     * and means its text.
     */
    record Variable(VariableScope scope, String name, @Nullable Expression value) implements SetItem {}

    /** @name = value. */
    record UserVariable(String name, Expression value) implements SetItem {}

    /** SET NAMES; charset is null for DEFAULT. */
    record Names(@Nullable String charset, @Nullable String collation) implements SetItem {}

    /** SET CHARACTER SET or SET CHARSET; charset is null for DEFAULT. */
    record CharacterSet(@Nullable String charset) implements SetItem {}

    /** SET TRANSACTION; isolation is upper-case such as READ COMMITTED, both are null when not given. */
    record TransactionOptions(VariableScope scope, @Nullable String isolation, @Nullable Boolean readOnly)
            implements SetItem {}

    /** SET PASSWORD [FOR user]; user is null for oneself. */
    record Password(@Nullable UserIdentity user, String text, boolean hashed) implements SetItem {}

    /** SET PROPERTY [FOR 'user']; user is null for oneself. */
    record Property(@Nullable String user, Map<String, String> properties) implements SetItem {
        /** Copies the collections. */
        public Property {
            properties = ImmutableMap.copyOf(properties);
        }
    }
}
