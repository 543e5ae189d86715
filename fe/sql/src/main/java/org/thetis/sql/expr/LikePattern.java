// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.expr;

/** LIKE over constants: % any characters, _ one character, backslash escapes; case matters and the whole text must match. */
final class LikePattern {
    private LikePattern() {}

    static boolean matches(String text, String pattern) {
        return matches(text.codePoints().toArray(), pattern.codePoints().toArray());
    }

    /** Backtracks to the last % only, so time is at most text times pattern. */
    private static boolean matches(int[] text, int[] pattern) {
        int t = 0;
        int p = 0;
        int afterPercent = -1;
        int retryAt = 0;
        while (t < text.length) {
            boolean escaped = p + 1 < pattern.length && pattern[p] == '\\';
            int wanted = escaped ? pattern[p + 1] : p < pattern.length ? pattern[p] : -1;
            if (!escaped && wanted == '%') {
                afterPercent = ++p;
                retryAt = t;
            } else if (wanted >= 0 && (!escaped && wanted == '_' || wanted == text[t])) {
                p += escaped ? 2 : 1;
                t++;
            } else if (afterPercent >= 0) {
                p = afterPercent;
                t = ++retryAt;
            } else {
                return false;
            }
        }
        while (p < pattern.length && pattern[p] == '%') {
            p++;
        }
        return p == pattern.length;
    }
}
