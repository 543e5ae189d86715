// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.stats;

import java.util.Map;
import org.thetis.sql.expr.ExprId;

/** How many rows a plan gives and how many distinct values its columns have (missing: as many as rows). */
public record Estimate(double rows, Map<ExprId, Double> distinct) {
    /** Distinct values of a column, at least one and at most the rows. */
    public double distinct(ExprId column) {
        return Math.max(1, Math.min(rows, distinct.getOrDefault(column, rows)));
    }
}
