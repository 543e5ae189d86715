// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.lower;

/** A table or view that a statement reads; the caller asks for the privilege before it runs the plan. */
public record TableAccess(String catalog, String database, String table) {}
