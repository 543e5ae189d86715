// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

/** How the inputs of a join come together. */
public enum JoinSpread {
    BROADCAST("BROADCAST"),
    PARTITIONED("PARTITIONED"),
    BUCKET_SHUFFLE("BUCKET_SHUFFLE"),
    COLOCATE("COLOCATE[]");

    private final String text;

    JoinSpread(String text) {
        this.text = text;
    }

    /** The words EXPLAIN shows in parentheses. */
    public String text() {
        return text;
    }
}
