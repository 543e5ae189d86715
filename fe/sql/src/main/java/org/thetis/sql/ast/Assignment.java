// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast;

/** column = value in UPDATE and LOAD. The value may be Expression.DefaultMarker. */
public record Assignment(QualifiedName column, Expression value) {}
