// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast;

/** A statement that is accepted for clients of MySQL and does nothing, such as LOCK TABLES. */
public record NoOperation(String name) implements Statement {}
