// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.schema;

import org.jspecify.annotations.Nullable;

/**
 * What is known of a column's values, for planning; never exact.
 *
 * @param min the least value as a number, days of a date, microseconds of a time; null for text and for columns without values
 * @param max the greatest, like it
 * @param distinct an upper guess of the number of different values; negative when unknown
 */
public record ColumnStatistics(@Nullable Double min, @Nullable Double max, double distinct) {
    /** What two parts of a table know together. */
    public ColumnStatistics with(ColumnStatistics other) {
        Double least =
                min == null || other.min == null ? (min == null ? other.min : min) : (Double) Math.min(min, other.min);
        Double most =
                max == null || other.max == null ? (max == null ? other.max : max) : (Double) Math.max(max, other.max);
        return new ColumnStatistics(
                least, most, distinct < 0 || other.distinct < 0 ? -1 : Math.max(distinct, other.distinct));
    }
}
