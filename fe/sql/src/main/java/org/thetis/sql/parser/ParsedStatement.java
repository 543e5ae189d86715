// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.parser;

import org.thetis.sql.ast.Statement;

/** One statement of a text: its tree, its own source text without the semicolon, and how many parameters it has. */
public record ParsedStatement(Statement statement, String text, int parameterCount) {}
