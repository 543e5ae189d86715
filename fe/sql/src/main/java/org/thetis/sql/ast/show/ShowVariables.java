// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.show;

import org.thetis.sql.ast.Statement;
import org.thetis.sql.ast.VariableScope;

/** SHOW [GLOBAL or SESSION] VARIABLES. */
public record ShowVariables(VariableScope scope, ShowFilter filter) implements Statement {}
