// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.type;

import java.util.List;
import java.util.Optional;

/**
 * Which types a column can change to so that every value it may hold stays what it is. Text may become numbers and dates: a value
 * that is none fails the change when it is met.
 */
public final class TypeChange {
    private static final List<TypeId> INTEGERS =
            List.of(TypeId.TINYINT, TypeId.SMALLINT, TypeId.INT, TypeId.BIGINT, TypeId.LARGEINT);

    private TypeChange() {}

    /** Whether stored values are read as they are under the new type: only a VARCHAR grew. */
    public static boolean keepsFiles(DataType from, DataType to) {
        return from.equals(to)
                || (from.id() == TypeId.VARCHAR && to.id() == TypeId.VARCHAR && to.length() >= from.length());
    }

    /** Why the change is refused; empty when it is allowed. */
    public static Optional<String> refusal(DataType from, DataType to) {
        if (from.equals(to)) {
            return Optional.empty();
        }
        boolean lengthsMatter = (from.id() == TypeId.CHAR || from.id() == TypeId.VARCHAR)
                && (to.id() == TypeId.CHAR || to.id() == TypeId.VARCHAR);
        if (lengthsMatter && to.length() < from.length()) {
            return Optional.of(
                    "Shorten type length is prohibited, srcType=" + from.toSql() + ", dstType=" + to.toSql());
        }
        return isLossless(from, to) || isParsed(from, to)
                ? Optional.empty()
                : Optional.of("Can not change " + from.toSql() + " to " + to.toSql());
    }

    private static boolean isLossless(DataType from, DataType to) {
        return switch (to.id()) {
            case SMALLINT, INT, BIGINT, LARGEINT ->
                INTEGERS.contains(from.id()) && INTEGERS.indexOf(from.id()) < INTEGERS.indexOf(to.id());
            case FLOAT -> from.id() == TypeId.TINYINT || from.id() == TypeId.SMALLINT;
            case DOUBLE ->
                from.id() == TypeId.FLOAT
                        || from.id() == TypeId.TINYINT
                        || from.id() == TypeId.SMALLINT
                        || from.id() == TypeId.INT;
            case DECIMAL -> from.isDecimal() && holds(to, from);
            case DATETIME -> from.id() == TypeId.DATE || (from.id() == TypeId.DATETIME && to.scale() >= from.scale());
            case CHAR -> from.id() == TypeId.CHAR;
            case VARCHAR -> from.isText() ? from.id() != TypeId.STRING : to.length() >= textLength(from);
            case STRING -> from.isText() || textLength(from) < Integer.MAX_VALUE;
            default -> false;
        };
    }

    /** Whether values are read from text, which not every text allows. */
    public static boolean isParsed(DataType from, DataType to) {
        boolean isTarget = INTEGERS.contains(to.id())
                || to.id() == TypeId.FLOAT
                || to.id() == TypeId.DOUBLE
                || to.id() == TypeId.DECIMAL
                || to.id() == TypeId.DATE;
        return isTarget && (from.id() == TypeId.CHAR || from.id() == TypeId.VARCHAR);
    }

    private static boolean holds(DataType wide, DataType narrow) {
        return wide.scale() >= narrow.scale() && wide.precision() - wide.scale() >= narrow.precision() - narrow.scale();
    }

    /** The most characters a value's text has. */
    private static int textLength(DataType type) {
        return switch (type.id()) {
            case TINYINT -> 4;
            case SMALLINT -> 6;
            case INT -> 11;
            case BIGINT -> 20;
            case LARGEINT -> 40;
            case DATE -> 10;
            case DATETIME -> 26;
            case DECIMAL -> type.precision() + 3;
            default -> Integer.MAX_VALUE;
        };
    }
}
