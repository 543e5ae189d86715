// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

/** Which part of an aggregation a node does. */
public enum AggregatePhase {
    SINGLE("update finalize"),
    PARTIAL("update serialize"),
    FINAL("merge finalize");

    private final String text;

    AggregatePhase(String text) {
        this.text = text;
    }

    /** The words EXPLAIN shows. */
    public String text() {
        return text;
    }
}
