// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.functions;

import java.util.ArrayList;
import java.util.List;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;

/** A signature of the function catalog: argument words, whether the last repeats, and the result word. */
record Signature(List<TypePattern> arguments, boolean variadic, TypePattern result, String text) {
    static Signature parse(String text) {
        int arrow = text.indexOf("->");
        int open = text.indexOf('(');
        int close = arrow < 0 ? -1 : text.lastIndexOf(')', arrow);
        if (arrow < 0 || open != 0 || close < 0) {
            throw new ThetisException(ErrorCode.INTERNAL, "function catalog: malformed signature '" + text + "'");
        }
        boolean variadic = false;
        List<TypePattern> arguments = new ArrayList<>();
        for (String word : words(text.substring(1, close))) {
            variadic = word.endsWith("...");
            arguments.add(TypePattern.parse(variadic ? word.substring(0, word.length() - 3) : word));
        }
        return new Signature(List.copyOf(arguments), variadic, TypePattern.parse(text.substring(arrow + 2)), text);
    }

    /** Splits at commas outside parentheses. */
    private static List<String> words(String list) {
        List<String> words = new ArrayList<>();
        int depth = 0;
        int begin = 0;
        for (int i = 0; i <= list.length(); i++) {
            char c = i < list.length() ? list.charAt(i) : ',';
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (c == ',' && (depth == 0 || i == list.length())) {
                String word = list.substring(begin, i).strip();
                if (!word.isEmpty()) {
                    words.add(word);
                }
                begin = i + 1;
            }
        }
        return words;
    }

    boolean takes(int count) {
        return variadic ? count >= arguments.size() : count == arguments.size();
    }

    TypePattern argument(int i) {
        return arguments.get(Math.min(i, arguments.size() - 1));
    }
}
