// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.session;

import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.Statement;
import org.thetis.sql.ast.VariableScope;

/** UNSET VARIABLE; name is null for ALL. */
public record UnsetVariable(VariableScope scope, @Nullable String name) implements Statement {}
