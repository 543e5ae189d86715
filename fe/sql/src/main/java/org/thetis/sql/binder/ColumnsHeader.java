// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.binder;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;

/** The text of a columns header: fields of the data in order, and assignments among them. */
final class ColumnsHeader {
    /** A field, or a name and the text of its expression. */
    record Part(String name, @Nullable String expression) {}

    private ColumnsHeader() {}

    /** The parts in order; fails for text that is neither a name nor an assignment. */
    static List<Part> parse(String header) {
        return split(header).stream().map(ColumnsHeader::part).toList();
    }

    private static Part part(String text) {
        String stripped = text.strip();
        int at = 0;
        if (stripped.startsWith("`")) {
            int close = stripped.indexOf('`', 1);
            if (close < 0) {
                throw bad("unclosed backquote in the columns header: " + stripped);
            }
            at = close + 1;
        } else {
            while (at < stripped.length()
                    && (Character.isLetterOrDigit(stripped.charAt(at)) || "_$@.-".indexOf(stripped.charAt(at)) >= 0)) {
                at++;
            }
        }
        String name = stripped.substring(0, at).replace("`", "");
        String rest = stripped.substring(at).strip();
        if (name.isEmpty() || !rest.isEmpty() && (!rest.startsWith("=") || rest.length() == 1)) {
            throw bad("malformed part of the columns header: '" + stripped + "'");
        }
        return new Part(name, rest.isEmpty() ? null : rest.substring(1));
    }

    /** Splits at commas outside quotes and parentheses. */
    private static List<String> split(String header) {
        List<String> parts = new ArrayList<>();
        int depth = 0;
        char quote = 0;
        int begin = 0;
        for (int i = 0; i < header.length(); i++) {
            char c = header.charAt(i);
            if (quote != 0) {
                if (c == '\\' && quote != '`') {
                    i++;
                } else if (c == quote) {
                    quote = 0;
                }
            } else if (c == '\'' || c == '"' || c == '`') {
                quote = c;
            } else if (c == '(' || c == ')') {
                depth += c == '(' ? 1 : -1;
            } else if (c == ',' && depth == 0) {
                parts.add(header.substring(begin, i));
                begin = i + 1;
            }
        }
        parts.add(header.substring(begin));
        parts.removeIf(String::isBlank);
        return parts;
    }

    private static ThetisException bad(String message) {
        return new ThetisException(ErrorCode.INVALID_ARGUMENT, message);
    }
}
