// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.ddl;

import org.jspecify.annotations.Nullable;
import org.thetis.base.error.SourcePosition;
import org.thetis.sql.ast.Expression;

/** A partition bound: an expression, or MAXVALUE when it is null. */
public record PartitionValue(SourcePosition position, @Nullable Expression value) {}
