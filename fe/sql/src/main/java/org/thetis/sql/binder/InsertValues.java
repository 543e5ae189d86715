// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.binder;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.SourcePosition;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.catalog.type.DataType;
import org.thetis.catalog.type.TypeId;
import org.thetis.sql.expr.CaseWhen;
import org.thetis.sql.expr.Cast;
import org.thetis.sql.expr.Casts;
import org.thetis.sql.expr.Conjuncts;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.functions.Coercion;

/** Strict checks of literal values in INSERT: what would be cut, wrapped or turned into NULL is refused instead. */
final class InsertValues {
    /** Dates without a zone, which the front end reads completely. */
    private static final Pattern ZONELESS = Pattern.compile("[\\d\\-/ :.T]*");

    /** UTF-8 bytes of one UTF-16 unit. */
    private static final long MAX_BYTES_PER_CHAR = 3;

    private InsertValues() {}

    /** The expression as a value of the column; fails for literals that are none. */
    static Expr converted(Expr given, SchemaColumn column, boolean strict, SourcePosition position) {
        Expr bound = inRange(given, Coercion.to(given, column.type()), column.type());
        if (strict && given instanceof Literal literal) {
            check(literal, bound, column, position);
        }
        if (bound instanceof Literal literal && literal.isNull() && !column.nullable() && !column.autoIncrement()) {
            throw Errors.at(ErrorCode.INSERT_FAILED, "Column '" + column.name() + "' cannot be null", position);
        }
        return bound;
    }

    /**
     * Whether the conversion can be trusted: nothing was converted, it was done and checked already, or it never fails. What literals
     * such as dates with a zone or JSON become is known to the back end only.
     */
    static boolean isSafe(Expr given, Expr converted, SchemaColumn column) {
        return given instanceof Literal && converted instanceof Literal
                || converted.equals(given)
                || converted instanceof Cast && Casts.neverFails(given.type(), column.type());
    }

    /** A number outside of a narrower integer type becomes NULL, not one that shares its low bits. */
    private static Expr inRange(Expr given, Expr converted, DataType type) {
        boolean narrowed = converted instanceof Cast
                && type.isInteger()
                && given.type().isInteger()
                && given.type().indexBytes() > type.indexBytes();
        if (!narrowed) {
            return converted;
        }
        BigInteger limit = limit(type);
        Expr fits = Conjuncts.and(List.of(
                ExprBinder.compare("ge", given, Literal.integer(limit.negate())),
                ExprBinder.compare("lt", given, Literal.integer(limit))));
        return new CaseWhen(List.of(fits), List.of(converted), null, type);
    }

    /** Fails when the literal is no value of the column, given what it became by conversion. */
    private static void check(Literal given, Expr converted, SchemaColumn column, SourcePosition position) {
        Object value = given.value();
        DataType type = column.type();
        if (value == null) {
            return;
        }
        if (type.isText()) {
            if (type.id() != TypeId.STRING) {
                checkLength(given, column, position);
            }
            return;
        }
        if (value instanceof Double number && type.isInteger() && !fits(number, type)) {
            throw refuse(given, column, ErrorCode.OUT_OF_RANGE, "is out of range", position);
        }
        boolean decidable = type.isInteger()
                || type.isDecimal()
                || type.isFloatingPoint()
                || type.isDateLike() && isZoneless(value);
        if (decidable && !(converted instanceof Literal) && !(value instanceof Double)) {
            boolean number = type.isNumeric() && !(value instanceof String);
            throw refuse(
                    given,
                    column,
                    number ? ErrorCode.OUT_OF_RANGE : ErrorCode.INSERT_FAILED,
                    number ? "is out of range" : "is incorrect",
                    position);
        }
    }

    private static void checkLength(Literal given, SchemaColumn column, SourcePosition position) {
        String text = String.valueOf(given.text());
        int most = column.type().length();
        if (text.length() * MAX_BYTES_PER_CHAR <= most) {
            return;
        }
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > most) {
            throw refuse(given, column, ErrorCode.INSERT_FAILED, "is too long: " + bytes + " bytes", position);
        }
    }

    /** Whether a finite number, cut toward zero, is one of the integer type. */
    private static boolean fits(double number, DataType type) {
        BigInteger limit = limit(type);
        BigInteger whole = new BigDecimal(number).toBigInteger();
        return whole.compareTo(limit) < 0 && whole.compareTo(limit.negate()) >= 0;
    }

    /** The number behind the largest of an integer type; its negative is the smallest. */
    private static BigInteger limit(DataType type) {
        return BigInteger.ONE.shiftLeft(type.indexBytes() * 8 - 1);
    }

    private static boolean isZoneless(Object value) {
        return !(value instanceof String text) || ZONELESS.matcher(text).matches();
    }

    private static RuntimeException refuse(
            Literal given, SchemaColumn column, ErrorCode code, String what, SourcePosition position) {
        return Errors.at(
                code,
                "Value '" + given.text() + "' for column '" + column.name() + "' of type " + column.type() + " " + what,
                position);
    }
}
