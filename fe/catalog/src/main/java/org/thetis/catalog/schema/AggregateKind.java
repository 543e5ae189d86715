// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.schema;

/** How the values of a value column with equal keys become one. */
public enum AggregateKind {
    NONE,
    SUM,
    MIN,
    MAX,
    REPLACE,
    REPLACE_IF_NOT_NULL,
    HLL_UNION,
    BITMAP_UNION,
    QUANTILE_UNION,
    GENERIC
}
