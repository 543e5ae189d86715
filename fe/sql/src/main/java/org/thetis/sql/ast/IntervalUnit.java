// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast;

/** A unit of time, simple or composed as in MySQL. */
public enum IntervalUnit {
    YEAR,
    QUARTER,
    MONTH,
    WEEK,
    DAY,
    HOUR,
    MINUTE,
    SECOND,
    MILLISECOND,
    MICROSECOND,
    YEAR_MONTH,
    DAY_HOUR,
    DAY_MINUTE,
    DAY_SECOND,
    DAY_MICROSECOND,
    HOUR_MINUTE,
    HOUR_SECOND,
    HOUR_MICROSECOND,
    MINUTE_SECOND,
    MINUTE_MICROSECOND,
    SECOND_MICROSECOND
}
