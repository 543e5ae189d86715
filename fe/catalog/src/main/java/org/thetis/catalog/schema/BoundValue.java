// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.schema;

/** A value in a PARTITION clause before its column's type is known: text, NULL or MAXVALUE. */
public record BoundValue(Kind kind, String text) {
    /** What was written. */
    public enum Kind {
        TEXT,
        NULL,
        MAXVALUE
    }

    public static final BoundValue NULL = new BoundValue(Kind.NULL, "");
    public static final BoundValue MAXVALUE = new BoundValue(Kind.MAXVALUE, "");

    public static BoundValue of(String text) {
        return new BoundValue(Kind.TEXT, text);
    }
}
