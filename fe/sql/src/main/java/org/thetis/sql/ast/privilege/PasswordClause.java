// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.privilege;

/** IDENTIFIED BY [PASSWORD] 'text'. */
public record PasswordClause(String text, boolean hashed) {}
