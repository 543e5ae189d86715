// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.parser;

/** The value of a quoted string. */
public final class QuotedText {
    private QuotedText() {}

    /**
     * What stands between the quotes, with doubled quotes and escapes resolved.
     *
     * @param begin where the opening quote is; the closing one, which matches it, is the character before `end`
     */
    public static String value(String text, int begin, int end, boolean backslashEscapes) {
        char quote = text.charAt(begin);
        int last = end - 1;
        int plain = begin + 1;
        while (plain < last && text.charAt(plain) != quote && (text.charAt(plain) != '\\' || !backslashEscapes)) {
            plain++;
        }
        if (plain == last) {
            return text.substring(begin + 1, last);
        }
        StringBuilder value = new StringBuilder(last - begin).append(text, begin + 1, plain);
        for (int at = plain; at < last; at++) {
            char c = text.charAt(at);
            if (c == quote) {
                at++;
                value.append(c);
            } else if (c == '\\' && backslashEscapes) {
                at++;
                appendEscaped(value, text.charAt(at));
            } else {
                value.append(c);
            }
        }
        return value.toString();
    }

    private static void appendEscaped(StringBuilder value, char c) {
        switch (c) {
            case 'n' -> value.append('\n');
            case 't' -> value.append('\t');
            case 'r' -> value.append('\r');
            case 'b' -> value.append('\b');
            case '0' -> value.append('\0');
            case 'Z' -> value.append('\032');
            // LIKE needs to see that these are meant literally.
            case '%', '_' -> value.append('\\').append(c);
            default -> value.append(c);
        }
    }
}
