// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast;

/** A statement of the SQL surface that parses but has no implementation; the server answers with its name. */
public record UnsupportedStatement(String name) implements Statement {}
