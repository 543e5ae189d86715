// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.point;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.SourcePosition;
import org.thetis.base.error.ThetisException;
import org.thetis.query.session.StatementContext;
import org.thetis.sql.ast.Statement;
import org.thetis.sql.parser.SqlParser;
import org.thetis.sql.point.LiteralPlaces;

/** Where the literals of a normalized text stand in its tree. */
final class TextLiterals {
    private TextLiterals() {}

    /**
     * The statement as its text alone reads under the present mode: places are counted from the beginning of that text, and in a
     * packet of several statements one may have changed the mode since all were read. Null when it does not parse so.
     */
    static @Nullable Statement readAnew(SqlParser parser, StatementContext context) {
        try {
            return parser.parseOne(
                            context.sql(),
                            context.session().variables().frequent().parserOptions())
                    .statement();
        } catch (ThetisException otherMode) {
            return null;
        }
    }

    /** Makes the text's literals parameters, numbered as they come. */
    static LiteralPlaces places(String sql, NormalizedText text) {
        Map<Long, Integer> places = new HashMap<>();
        int line = 1;
        int lineBegin = 0;
        int literal = 0;
        for (int i = 0; i < sql.length() && literal < text.numLiterals(); i++) {
            if (i == text.begin(literal)) {
                places.put(place(line, i - lineBegin), literal++);
            }
            if (sql.charAt(i) == '\n') {
                line++;
                lineBegin = i + 1;
            }
        }
        return (position, value) -> {
            Integer ordinal = places.get(place(position));
            return ordinal == null || !value.equals(text.value(ordinal)) ? -1 : ordinal;
        };
    }

    /**
     * The sources of the literals that are part of a plan; null in place of others.
     *
     * @param open literals that any value may stand for
     * @param from literals before this one do not matter to the plan
     */
    static List<@Nullable String> fixed(NormalizedText text, Set<Integer> open, int from) {
        List<@Nullable String> fixed = new ArrayList<>();
        for (int i = 0; i < text.numLiterals(); i++) {
            fixed.add(i < from || open.contains(i) ? null : text.source(i));
        }
        return fixed;
    }

    private static long place(SourcePosition position) {
        return place(position.line(), position.column());
    }

    private static long place(int line, int column) {
        return (long) line << Integer.SIZE | column;
    }
}
