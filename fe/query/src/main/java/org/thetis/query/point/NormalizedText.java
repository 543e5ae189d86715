// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.point;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.type.DataType;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.parser.ParserOptions;
import org.thetis.sql.parser.QuotedText;

/**
 * A SELECT, UPDATE or DELETE with its numbers and strings taken out by a single pass over its characters. Texts of one
 * fingerprint differ in the values of literals only: the grammar's tokens are the same in number, kind and order. What the pass is
 * not sure of it gives up on, or leaves in the fingerprint. Immutable once made.
 */
final class NormalizedText {
    /** Longer ones are no look-ups, and a pass over them would hold up an event loop. */
    static final int MAX_LENGTH = 8 << 10;

    /** More literals than look-ups have. */
    static final int MAX_LITERALS = 2048;

    private static final int LONG_DIGITS = 18;

    /** What a token is; stands in the fingerprint in its place. Texts that have these characters are given up. */
    private static final char INTEGER = '\001';

    private static final char DECIMAL = '\002';
    private static final char STRING = '\003';

    private final String sql;
    private final String fingerprint;
    private final int[] bounds;
    private final int conditionBegin;
    private final boolean backslashEscapes;

    private NormalizedText(String sql, String fingerprint, int[] bounds, int conditionBegin, boolean backslashEscapes) {
        this.sql = sql;
        this.fingerprint = fingerprint;
        this.bounds = bounds;
        this.conditionBegin = conditionBegin;
        this.backslashEscapes = backslashEscapes;
    }

    /** The text, or null when it is not one SELECT that can be taken apart with certainty. */
    static @Nullable NormalizedText of(String sql, ParserOptions options) {
        return scan(sql, options, "select");
    }

    /** The text, or null when it is not one UPDATE or DELETE that can be taken apart with certainty. */
    static @Nullable NormalizedText ofChange(String sql, ParserOptions options) {
        return scan(sql, options, "update", "delete");
    }

    private static @Nullable NormalizedText scan(String sql, ParserOptions options, String... verbs) {
        return sql.length() > MAX_LENGTH ? null : new Scanner(sql, !options.noBackslashEscapes()).scan(verbs);
    }

    /** How many literals stand before the word WHERE outside of parentheses; 0 when there is no such word. */
    int conditionBegin() {
        return conditionBegin;
    }

    String fingerprint() {
        return fingerprint;
    }

    int numLiterals() {
        return bounds.length / 2;
    }

    /** Where a literal begins, as an offset into the text. */
    int begin(int literal) {
        return bounds[2 * literal];
    }

    /** A literal's source text. */
    String source(int literal) {
        return sql.substring(bounds[2 * literal], bounds[2 * literal + 1]);
    }

    /** Whether a literal's source text is the given one. */
    boolean isSource(int literal, String source) {
        int begin = bounds[2 * literal];
        return bounds[2 * literal + 1] - begin == source.length()
                && sql.regionMatches(begin, source, 0, source.length());
    }

    /** A literal's value as the parser reads it; null for values that are left to the parser. */
    @Nullable
    Literal value(int literal) {
        int begin = bounds[2 * literal];
        int end = bounds[2 * literal + 1];
        char first = sql.charAt(begin);
        if (first == '\'' || first == '"') {
            return Literal.string(QuotedText.value(sql, begin, end, backslashEscapes));
        }
        boolean plain = true;
        for (int i = begin; i < end; i++) {
            plain &= sql.charAt(i) != '.';
        }
        if (!plain) {
            return Literal.decimal(new BigDecimal(sql.substring(begin, end)));
        }
        if (end - begin > LONG_DIGITS) {
            return end - begin > 40 ? null : Literal.integer(new BigInteger(sql.substring(begin, end)));
        }
        long number = Long.parseLong(sql, begin, end, 10);
        DataType type = number <= Byte.MAX_VALUE
                ? DataType.TINYINT
                : number <= Short.MAX_VALUE
                        ? DataType.SMALLINT
                        : number <= Integer.MAX_VALUE ? DataType.INT : DataType.BIGINT;
        return new Literal(number, type);
    }

    /** One pass. Gives up by returning a negative position. */
    private static final class Scanner {
        private static final int GIVE_UP = -1;

        private final String sql;

        /** The characters of the text; reading them from a String asks for its coding each time. */
        private final char[] text;

        private final int length;
        private final boolean backslashEscapes;
        private final char[] out;
        private int outSize;
        private int[] bounds = new int[16];
        private int numBounds;
        private int openParentheses;
        private int conditionBegin = -1;

        Scanner(String sql, boolean backslashEscapes) {
            this.sql = sql;
            this.text = sql.toCharArray();
            this.length = text.length;
            this.backslashEscapes = backslashEscapes;
            this.out = new char[length];
        }

        @Nullable
        NormalizedText scan(String... verbs) {
            for (char c : text) {
                if (c <= STRING) {
                    // One of our marks, or nearly.
                    return null;
                }
            }
            int start = skipBlanks(0);
            if (start < 0 || !startsWithAny(start, verbs)) {
                return null;
            }
            int at = start;
            while (at >= 0 && at < length) {
                at = token(at);
            }
            if (at < 0 || numBounds > 2 * MAX_LITERALS) {
                return null;
            }
            while (outSize > 0 && isBlank(out[outSize - 1])) {
                outSize--;
            }
            return new NormalizedText(
                    sql,
                    new String(out, 0, outSize),
                    Arrays.copyOf(bounds, numBounds),
                    Math.max(0, conditionBegin),
                    backslashEscapes);
        }

        private boolean startsWithAny(int at, String... verbs) {
            for (String verb : verbs) {
                if (sql.regionMatches(true, at, verb, 0, verb.length())) {
                    return true;
                }
            }
            return false;
        }

        private int token(int at) {
            char c = text[at];
            if (isNamePart(c)) {
                return isDigit(c) ? number(at) : name(at);
            }
            switch (c) {
                case '.' -> {
                    boolean fraction = at + 1 < length && isDigit(text[at + 1]);
                    return fraction ? number(at) : copy(at, at + 1);
                }
                case '\'', '"' -> {
                    return string(at);
                }
                case '`' -> {
                    return copyTo(at, quotedEnd(at, '`', false));
                }
                case '/', '-' -> {
                    int end = commentEnd(at);
                    return end == at ? copy(at, at + 1) : copyTo(at, end);
                }
                case ';' -> {
                    return skipBlanks(at + 1) == length ? length : GIVE_UP;
                }
                case '?', '#' -> {
                    return GIVE_UP;
                }
                case '(', ')' -> {
                    openParentheses += c == '(' ? 1 : -1;
                    return copy(at, at + 1);
                }
                default -> {
                    // Not one character for the grammar, whose positions count code points.
                    return Character.isSurrogate(c) ? GIVE_UP : copy(at, at + 1);
                }
            }
        }

        private int name(int at) {
            int end = at;
            while (end < length && isNamePart(text[end])) {
                if (Character.isSurrogate(text[end])) {
                    return GIVE_UP;
                }
                end++;
            }
            // r'..', x'..' and the like are tokens of their own.
            boolean prefixed = end < length && end - at == 1 && (text[end] == '\'' || text[end] == '"');
            boolean isWhere = end - at == 5 && openParentheses == 0 && sql.regionMatches(true, at, "where", 0, 5);
            if (isWhere && conditionBegin < 0) {
                conditionBegin = numBounds / 2;
            }
            return prefixed ? GIVE_UP : copy(at, end);
        }

        /** Digits with or without a point; anything longer that starts like one stays as it is. */
        private int number(int at) {
            int end = at;
            int points = 0;
            while (end < length && (isDigit(text[end]) || text[end] == '.' && points == 0)) {
                points += text[end] == '.' ? 1 : 0;
                end++;
            }
            boolean more = end < length && (isNamePart(text[end]) || text[end] == '.');
            boolean afterName = at > 0 && text[at] == '.' && (isNamePart(text[at - 1]) || text[at - 1] == '`');
            if (more || afterName) {
                while (end < length && (isNamePart(text[end]) || text[end] == '.')) {
                    if (Character.isSurrogate(text[end])) {
                        return GIVE_UP;
                    }
                    end++;
                }
                boolean quoted = end < length && (text[end] == '\'' || text[end] == '"');
                return quoted ? GIVE_UP : copy(at, end);
            }
            return literal(at, end, points == 0 ? INTEGER : DECIMAL);
        }

        private int string(int at) {
            int end = quotedEnd(at, text[at], backslashEscapes);
            return end < 0 ? GIVE_UP : literal(at, end, STRING);
        }

        /** Behind the closing quote; a doubled quote is part of the text. */
        private int quotedEnd(int at, char quote, boolean escapes) {
            int i = at + 1;
            while (i < length) {
                char c = text[i];
                if (c >= '\uD800' && c <= '\uDFFF') {
                    return GIVE_UP;
                }
                if (c == '\\' && escapes) {
                    i += 2;
                } else if (c != quote) {
                    i++;
                } else if (i + 1 < length && text[i + 1] == quote) {
                    i += 2;
                } else {
                    return i + 1;
                }
            }
            return GIVE_UP;
        }

        /** Behind the comment that begins here, `at` when none does. */
        private int commentEnd(int at) {
            if (sql.startsWith("--", at)) {
                int end = at;
                while (end < length && text[end] != '\n' && text[end] != '\r') {
                    end++;
                }
                return hasSurrogate(at, end) ? GIVE_UP : end;
            }
            if (!sql.startsWith("/*", at)) {
                return at;
            }
            if (at + 2 < length && text[at + 2] == '+') {
                return GIVE_UP;
            }
            int depth = 1;
            int i = at + 2;
            while (depth > 0) {
                if (i + 1 >= length) {
                    return GIVE_UP;
                }
                if (sql.startsWith("/*", i)) {
                    depth++;
                    i += 2;
                } else if (sql.startsWith("*/", i)) {
                    depth--;
                    i += 2;
                } else {
                    i++;
                }
            }
            return hasSurrogate(at, i) ? GIVE_UP : i;
        }

        private boolean hasSurrogate(int begin, int end) {
            for (int i = begin; i < end; i++) {
                if (Character.isSurrogate(text[i])) {
                    return true;
                }
            }
            return false;
        }

        private int skipBlanks(int from) {
            int at = from;
            while (at >= 0 && at < length) {
                char c = text[at];
                int end = isBlank(c) ? at + 1 : commentEnd(at);
                if (end == at) {
                    return at;
                }
                at = end;
            }
            return at;
        }

        private int literal(int begin, int end, char kind) {
            if (numBounds == bounds.length) {
                bounds = Arrays.copyOf(bounds, bounds.length * 2);
            }
            bounds[numBounds++] = begin;
            bounds[numBounds++] = end;
            out[outSize++] = kind;
            return end;
        }

        private int copyTo(int begin, int end) {
            return end < 0 ? GIVE_UP : copy(begin, end);
        }

        private int copy(int begin, int end) {
            System.arraycopy(text, begin, out, outSize, end - begin);
            outSize += end - begin;
            return end;
        }

        private static boolean isBlank(char c) {
            return c == ' ' || c == '\t' || c == '\n' || c == '\r';
        }

        private static boolean isDigit(char c) {
            return c >= '0' && c <= '9';
        }

        /** As the grammar has it, and some that it does not have. */
        private static boolean isNamePart(char c) {
            return c >= 'a' && c <= 'z'
                    || c >= 'A' && c <= 'Z'
                    || isDigit(c)
                    || c == '_'
                    || c == '$'
                    || c >= '\u0080' && c != '\u00A0' && c != '\u3000' && c != '\uFEFF';
        }
    }
}
