// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast;

/** WHEN condition THEN result; in the simple CASE form the condition is the value compared with the operand. */
public record WhenClause(Expression condition, Expression result) {}
