// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.parser;

import org.jspecify.annotations.Nullable;

/** Maps the lexer's indexes, which count code points, to indexes of the string. Made once per text. */
final class TextIndex {
    private final String sql;
    /** Index of each code point in the string; null when every character is one code point. */
    private final int @Nullable [] offsets;

    TextIndex(String sql) {
        this.sql = sql;
        int numCodePoints = sql.codePointCount(0, sql.length());
        if (numCodePoints == sql.length()) {
            offsets = null;
            return;
        }
        int[] table = new int[numCodePoints + 1];
        int offset = 0;
        for (int index = 0; index < numCodePoints; index++) {
            table[index] = offset;
            offset += Character.charCount(sql.codePointAt(offset));
        }
        table[numCodePoints] = offset;
        offsets = table;
    }

    /** The text between two code point indexes. */
    String text(int begin, int end) {
        return offsets == null ? sql.substring(begin, end) : sql.substring(offsets[begin], offsets[end]);
    }
}
