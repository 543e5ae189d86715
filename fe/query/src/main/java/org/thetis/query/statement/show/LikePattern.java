// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import java.util.regex.Pattern;

/** A LIKE pattern of SQL, matched without regard to case as SHOW does. */
final class LikePattern {
    private LikePattern() {}

    static boolean matches(String text, String pattern) {
        StringBuilder regex = new StringBuilder();
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (c == '\\' && i + 1 < pattern.length()) {
                i++;
                regex.append(Pattern.quote(String.valueOf(pattern.charAt(i))));
            } else if (c == '%') {
                regex.append(".*");
            } else if (c == '_') {
                regex.append('.');
            } else {
                regex.append(Pattern.quote(String.valueOf(c)));
            }
        }
        return Pattern.compile(regex.toString(), Pattern.CASE_INSENSITIVE | Pattern.DOTALL | Pattern.UNICODE_CASE)
                .matcher(text)
                .matches();
    }
}
