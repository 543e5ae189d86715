// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.stats;

import java.util.Map;
import org.thetis.sql.expr.ExprId;

/**
 * How many rows a plan gives and how many distinct values its columns have (missing: as many as rows).
 *
 * @param ranges least and greatest values of columns, where known
 */
public record Estimate(double rows, Map<ExprId, Double> distinct, Map<ExprId, Range> ranges) {
    /** Bounds of a column's values, as numbers; min is not above max. */
    public record Range(double min, double max) {}

    /** Without knowledge of bounds. */
    public Estimate(double rows, Map<ExprId, Double> distinct) {
        this(rows, distinct, Map.of());
    }

    /** Distinct values of a column, at least one and at most the rows. */
    public double distinct(ExprId column) {
        return Math.max(1, Math.min(rows, distinct.getOrDefault(column, rows)));
    }
}
