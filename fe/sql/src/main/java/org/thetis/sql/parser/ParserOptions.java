// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.parser;

/** The sql_mode bits that change how text is read. */
public record ParserOptions(boolean pipesAsConcat, boolean noBackslashEscapes) {
    /** || is OR and a backslash escapes. */
    public static final ParserOptions DEFAULT = new ParserOptions(false, false);
}
