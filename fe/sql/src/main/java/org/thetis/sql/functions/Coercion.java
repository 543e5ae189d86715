// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.functions;

import java.math.BigDecimal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.type.DataType;
import org.thetis.catalog.type.TypeId;
import org.thetis.sql.expr.Cast;
import org.thetis.sql.expr.Casts;
import org.thetis.sql.expr.DateTimes;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.Literal;

/** Inserts the implicit casts of comparisons and conversions; literals are converted at once. */
public final class Coercion {
    private Coercion() {}

    /** Two values brought to one type. */
    public record Pair(Expr left, Expr right) {}

    /** The expression as a value of the type: itself, a converted literal, or a cast. */
    public static Expr to(Expr expression, DataType type) {
        if (isSameForm(expression.type(), type)) {
            return expression instanceof Literal literal && !literal.type().equals(type)
                    ? new Literal(literal.value(), type)
                    : expression;
        }
        if (expression instanceof Literal literal) {
            Literal folded = Casts.fold(literal, type);
            if (folded != null) {
                return folded;
            }
        }
        return new Cast(expression, type, false);
    }

    /**
     * Whether values of one type are values of the other as they are: text of any length, DATETIME of smaller scale, narrower
     * DECIMAL of one scale and width.
     */
    public static boolean isSameForm(DataType from, DataType to) {
        if (from.equals(to)) {
            return true;
        }
        if (from.isText() && to.isText()) {
            return true;
        }
        if (from.isDecimal() && to.isDecimal()) {
            return from.scale() == to.scale() && from.precision() <= to.precision() && from.physical() == to.physical();
        }
        return from.id() == TypeId.DATETIME && to.id() == TypeId.DATETIME && from.scale() <= to.scale();
    }

    /** A condition as BOOLEAN. */
    public static Expr toBoolean(Expr expression) {
        return to(expression, DataType.BOOLEAN);
    }

    /** Brings both sides of a comparison to one type; fails when they cannot be compared. */
    public static Pair comparison(Expr left, Expr right) {
        if (left instanceof Literal literal && !(right instanceof Literal)) {
            Pair swapped = comparison(right, literal);
            return new Pair(/* left= */ swapped.right(), /* right= */ swapped.left());
        }
        if (right instanceof Literal literal && !literal.isNull() && !(left instanceof Literal)) {
            Literal fitted = fit(literal, left.type());
            if (fitted != null) {
                return new Pair(left, fitted);
            }
        }
        DataType type = WidenedTypes.comparison(left.type(), right.type())
                .orElseThrow(() -> new ThetisException(
                        ErrorCode.ANALYSIS, "cannot compare " + left.type() + " with " + right.type()));
        if (type.isNested() || type.isAggregateState() || type.id() == TypeId.JSON) {
            throw new ThetisException(ErrorCode.ANALYSIS, "values of type " + type + " cannot be compared");
        }
        if (left.type().id() == TypeId.DATETIME && right.type().id() == TypeId.DATETIME) {
            return new Pair(left, right);
        }
        return new Pair(to(left, type), to(right, type));
    }

    /** The literal as a value of the column's type, when that loses nothing; otherwise null. */
    private static @Nullable Literal fit(Literal literal, DataType type) {
        if (literal.type().isText()) {
            return fitText(literal, type);
        }
        if (literal.type().isDateLike() && type.isDateLike()) {
            return fitDate(literal, type);
        }
        if (type.isDateLike() && literal.type().isInteger()) {
            return fitDate(literal, type);
        }
        if (type.isInteger() || type.isDecimal()) {
            return literal.type().isFloatingPoint() ? null : fitNumber(literal, type);
        }
        return null;
    }

    private static @Nullable Literal fitText(Literal literal, DataType type) {
        if (type.isText()) {
            return literal;
        }
        if (type.isDateLike()) {
            return fitDate(literal, type);
        }
        if (type.isInteger() || type.isDecimal()) {
            return fitNumber(literal, type);
        }
        return type.id() == TypeId.BOOLEAN || type.isFloatingPoint() ? Casts.fold(literal, type) : null;
    }

    private static @Nullable Literal fitNumber(Literal literal, DataType type) {
        Optional<BigDecimal> number = Casts.number(literal);
        if (number.isEmpty()) {
            return null;
        }
        Literal folded = Casts.fold(literal, type);
        return folded == null
                        || folded.isNull()
                        || Casts.number(folded).orElse(BigDecimal.ZERO).compareTo(number.get()) != 0
                ? null
                : folded;
    }

    private static @Nullable Literal fitDate(Literal literal, DataType type) {
        Optional<Long> micros = Casts.toMicros(literal);
        if (micros.isEmpty()) {
            return null;
        }
        boolean hasTime = Math.floorMod(micros.get(), DateTimes.MICROS_PER_DAY) != 0;
        if (type.id() == TypeId.DATE) {
            return hasTime ? null : Literal.date(Math.floorDiv(micros.get(), DateTimes.MICROS_PER_DAY));
        }
        return Literal.dateTime(micros.get(), Math.max(type.scale(), scaleOf(micros.get())));
    }

    /** Fraction digits that the value needs. */
    private static int scaleOf(long micros) {
        int scale = 6;
        for (long rest = Math.floorMod(micros, 1_000_000L); scale > 0 && rest % 10 == 0; rest /= 10) {
            scale--;
        }
        return scale;
    }
}
