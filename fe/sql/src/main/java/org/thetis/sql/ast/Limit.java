// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast;

import org.jspecify.annotations.Nullable;

/** LIMIT and OFFSET; both are integer literals or parameters. */
public record Limit(@Nullable Expression count, @Nullable Expression offset) {}
