// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.expr;

/** The table column that a slot comes from unchanged; MySQL column definitions name it. */
public record ColumnOrigin(String database, String table, String column) {}
