// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast;

import org.jspecify.annotations.Nullable;

/** TABLESAMPLE. With percent, size is 0 to 100, otherwise a number of rows. */
public record TableSample(long size, boolean percent, @Nullable Long seed) {}
