// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.functions;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.type.DataType;
import org.thetis.catalog.type.TypeId;

/**
 * One type word of a signature. For EXACT the type is complete; DECIMAL and DATETIME words without parameters take any of theirs;
 * VARIABLE stands for one type all over the signature, ANY for whatever comes.
 */
record TypePattern(Kind kind, @Nullable DataType type) {
    enum Kind {
        EXACT,
        TEXT,
        ANY_DECIMAL,
        ANY_DATETIME,
        VARIABLE,
        ANY
    }

    private static final Pattern PARAMETERS = Pattern.compile("(\\w+)\\((\\d+)(?:,\\s*(\\d+))?\\)");

    static TypePattern parse(String word) {
        String text = word.strip().toLowerCase(Locale.ROOT);
        Matcher matcher = PARAMETERS.matcher(text);
        if (matcher.matches()) {
            int first = Integer.parseInt(matcher.group(2));
            return switch (matcher.group(1)) {
                case "decimal" ->
                    exact(DataType.decimal(first, matcher.group(3) == null ? 0 : Integer.parseInt(matcher.group(3))));
                case "datetime" -> exact(DataType.datetime(first));
                case "time" -> exact(DataType.time(first));
                case "varchar", "char" -> new TypePattern(Kind.TEXT, DataType.varchar(first));
                default -> throw bad(word);
            };
        }
        return switch (text) {
            case "t" -> new TypePattern(Kind.VARIABLE, null);
            case "any" -> new TypePattern(Kind.ANY, null);
            case "decimal" -> new TypePattern(Kind.ANY_DECIMAL, null);
            case "datetime" -> new TypePattern(Kind.ANY_DATETIME, null);
            case "varchar", "string", "char" -> new TypePattern(Kind.TEXT, DataType.STRING);
            default -> {
                for (TypeId id : TypeId.values()) {
                    if (id.sqlName().equals(text)) {
                        yield exact(DataType.of(id));
                    }
                }
                throw bad(word);
            }
        };
    }

    private static TypePattern exact(DataType type) {
        return new TypePattern(Kind.EXACT, type);
    }

    private static ThetisException bad(String word) {
        return new ThetisException(ErrorCode.INTERNAL, "function catalog: unknown type word '" + word + "'");
    }
}
