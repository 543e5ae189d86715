// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

/**
 * How a scan treats what storage keeps of rows that were changed. All but the first two are for looking at raw data.
 *
 * @param skipMerge whether several stored rows of one key may come apart, of models that merge when they are read
 * @param mergeReason why rows are merged; empty when they are not, or need not be
 * @param skipDeleteBitmap whether rows that a later one replaced are given too
 * @param skipDeletePredicate whether rows that a DELETE took are given too
 */
public record ReadMode(boolean skipMerge, String mergeReason, boolean skipDeleteBitmap, boolean skipDeletePredicate) {
    /** As queries read before anything is known of what they do with the rows. */
    public static final ReadMode PLAIN = new ReadMode(false, "", false, false);

    /** The line of EXPLAIN that tools look for. */
    public String explain() {
        return "PREAGGREGATION: " + (mergeReason.isEmpty() ? "ON" : "OFF. Reason: " + mergeReason);
    }
}
