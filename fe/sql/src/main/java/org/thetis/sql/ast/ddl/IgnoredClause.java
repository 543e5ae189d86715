// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.ddl;

import org.thetis.base.error.SourcePosition;

/** A clause of MySQL that has no meaning here; the server may warn about it. */
public record IgnoredClause(SourcePosition position, String text) {}
