// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.expr;

import org.jspecify.annotations.Nullable;

/** Rows around the current one: offsets are negative before it; null is unbounded. */
public record WindowFrame(boolean rows, @Nullable Long start, @Nullable Long end) {}
