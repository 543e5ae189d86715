// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.session;

import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.Statement;

/**
 * EXPLAIN (or DESC) of a statement. stage is upper-case (PARSED, ..., ALL) or null; format is VERBOSE, TREE,
 * GRAPH, DUMP or null.
 */
public record Explain(@Nullable String stage, @Nullable String format, boolean process, Statement statement)
        implements Statement {}
