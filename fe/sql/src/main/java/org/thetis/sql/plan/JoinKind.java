// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

/** Kinds of join. A cross join is an inner join without conditions. */
public enum JoinKind {
    INNER("INNER JOIN"),
    LEFT_OUTER("LEFT OUTER JOIN"),
    RIGHT_OUTER("RIGHT OUTER JOIN"),
    FULL_OUTER("FULL OUTER JOIN"),
    LEFT_SEMI("LEFT SEMI JOIN"),
    LEFT_ANTI("LEFT ANTI JOIN"),
    RIGHT_SEMI("RIGHT SEMI JOIN"),
    RIGHT_ANTI("RIGHT ANTI JOIN"),
    NULL_AWARE_LEFT_ANTI("NULL AWARE LEFT ANTI JOIN");

    private final String text;

    JoinKind(String text) {
        this.text = text;
    }

    /** The words EXPLAIN shows. */
    public String text() {
        return text;
    }

    /** Whether rows of the left input appear in the output. */
    public boolean keepsLeft() {
        return this != RIGHT_SEMI && this != RIGHT_ANTI;
    }

    /** Whether columns of the right input appear in the output. */
    public boolean keepsRight() {
        return switch (this) {
            case LEFT_SEMI, LEFT_ANTI, NULL_AWARE_LEFT_ANTI -> false;
            default -> true;
        };
    }

    /** Whether left columns may be padded with NULL. */
    public boolean padsLeft() {
        return this == RIGHT_OUTER || this == FULL_OUTER;
    }

    /** Whether right columns may be padded with NULL. */
    public boolean padsRight() {
        return this == LEFT_OUTER || this == FULL_OUTER;
    }

    /** Whether a condition on left columns alone may be tested before the join. */
    public boolean filtersLeft() {
        return this == INNER
                || this == LEFT_OUTER
                || this == LEFT_SEMI
                || this == LEFT_ANTI
                || this == NULL_AWARE_LEFT_ANTI;
    }

    /** Whether a condition on right columns alone may be tested before the join. */
    public boolean filtersRight() {
        return this == INNER || this == RIGHT_OUTER || this == RIGHT_SEMI || this == RIGHT_ANTI;
    }

    /** Whether an ON condition on left columns alone may be tested before the join. */
    public boolean onFiltersLeft() {
        return this == INNER || this == RIGHT_OUTER || this == LEFT_SEMI || this == RIGHT_SEMI || this == RIGHT_ANTI;
    }

    /** Whether an ON condition on right columns alone may be tested before the join. */
    public boolean onFiltersRight() {
        return this == INNER || this == LEFT_OUTER || this == LEFT_SEMI || this == LEFT_ANTI || this == RIGHT_SEMI;
    }

    /** The kind that gives the same rows when the inputs change places, or this for kinds that have none. */
    public JoinKind mirrored() {
        return switch (this) {
            case LEFT_OUTER -> RIGHT_OUTER;
            case RIGHT_OUTER -> LEFT_OUTER;
            case LEFT_SEMI -> RIGHT_SEMI;
            case RIGHT_SEMI -> LEFT_SEMI;
            case LEFT_ANTI -> RIGHT_ANTI;
            case RIGHT_ANTI -> LEFT_ANTI;
            default -> this;
        };
    }
}
