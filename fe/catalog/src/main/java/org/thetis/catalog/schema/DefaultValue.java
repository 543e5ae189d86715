// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.schema;

/**
 * What a column gets when a statement leaves it out.
 *
 * @param text LITERAL: the value's text; CURRENT_TIMESTAMP: the scale, or empty; otherwise empty
 */
public record DefaultValue(Kind kind, String text) {
    /** Where the value comes from. */
    public enum Kind {
        LITERAL,
        NULL,
        CURRENT_TIMESTAMP,
        CURRENT_DATE,
        PI,
        E,
        BITMAP_EMPTY
    }

    public static final DefaultValue NULL = new DefaultValue(Kind.NULL, "");

    public static DefaultValue literal(String text) {
        return new DefaultValue(Kind.LITERAL, text);
    }

    public static DefaultValue of(Kind kind) {
        return new DefaultValue(kind, "");
    }

    /** As after DEFAULT in SHOW CREATE TABLE: literals in double quotes, functions by name. */
    public String toSql() {
        return switch (kind) {
            case LITERAL -> "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
            case CURRENT_TIMESTAMP -> text.isEmpty() ? "CURRENT_TIMESTAMP" : "CURRENT_TIMESTAMP(" + text + ")";
            default -> kind.name();
        };
    }

    /** As in the Default column of DESC. */
    public String show() {
        return kind == Kind.LITERAL ? text : toSql();
    }
}
