// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.parser;

import com.google.common.base.Splitter;
import java.util.List;

/** The sql_mode bits that change how text is read. */
public record ParserOptions(boolean pipesAsConcat, boolean noBackslashEscapes) {
    /** || is OR and a backslash escapes. */
    public static final ParserOptions DEFAULT = new ParserOptions(false, false);

    /** @param modes the names of modes with commas between them, as the variable has them; those of other uses are passed over */
    public static ParserOptions ofSqlMode(String modes) {
        List<String> set = Splitter.on(',').splitToList(modes);
        return new ParserOptions(set.contains("PIPES_AS_CONCAT"), set.contains("NO_BACKSLASH_ESCAPES"));
    }
}
