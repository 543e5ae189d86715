// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.functions;

import java.util.List;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.type.DataType;
import org.thetis.catalog.type.TypeId;
import org.thetis.sql.expr.Casts;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.NullMode;
import org.thetis.sql.expr.ScalarCall;

/** Types of arithmetic and bit operators, and the casts their operands need (semantics of the MySQL dialect that we speak). */
public final class Arithmetic {
    /** Digits that a decimal quotient has beyond its dividend. */
    public static final int DIVISION_SCALE_INCREMENT = 4;

    /** Fraction digits that a product over 38 digits keeps at least. */
    public static final int OVERFLOW_SCALE = 6;

    private static final int MAX = DataType.MAX_DECIMAL_PRECISION;

    private Arithmetic() {}

    /** left OP right; the operator by its catalog name: add subtract multiply divide int_divide mod. */
    public static Expr binary(String name, Expr left, Expr right) {
        Expr a = operand(left, right.type(), name);
        Expr b = operand(right, left.type(), name);
        return switch (name) {
            case "divide" -> divide(a, b);
            case "int_divide" -> integerDivide(a, b);
            case "mod" -> modulo(a, b);
            default -> plain(name, a, b);
        };
    }

    /** left OP right for bitand bitor bitxor bit_shift_left bit_shift_right. */
    public static Expr bits(String name, Expr left, Expr right) {
        Expr a = bitOperand(left, name);
        Expr b = bitOperand(right, name);
        if (name.startsWith("bit_shift")) {
            return new ScalarCall(
                    name,
                    List.of(Coercion.to(a, DataType.BIGINT), Coercion.to(b, DataType.BIGINT)),
                    DataType.BIGINT,
                    NullMode.PROPAGATE,
                    false);
        }
        DataType type = WidenedTypes.numeric(a.type(), b.type());
        return new ScalarCall(
                name, List.of(Coercion.to(a, type), Coercion.to(b, type)), type, NullMode.PROPAGATE, false);
    }

    /** ~value. */
    public static Expr bitNot(Expr value) {
        Expr a = bitOperand(value, "bitnot");
        return new ScalarCall("bitnot", List.of(a), a.type(), NullMode.PROPAGATE, false);
    }

    /** -value; literals are negated at once, and the smallest integer keeps its type. */
    public static Expr negate(Expr value) {
        if (value instanceof Literal literal && literal.type().isNumeric() && literal.value() != null) {
            if (literal.type().isInteger()) {
                return Literal.integer(
                        Casts.number(literal).orElseThrow().toBigIntegerExact().negate());
            }
            if (literal.value() instanceof Double number) {
                return new Literal(-number, literal.type());
            }
            return new Literal(Casts.number(literal).orElseThrow().negate(), literal.type());
        }
        Expr a = operand(value, DataType.NULL, "negative");
        return new ScalarCall("negative", List.of(a), a.type(), NullMode.PROPAGATE, false);
    }

    private static Expr bitOperand(Expr value, String name) {
        Expr a = operand(value, DataType.BIGINT, name);
        return a.type().isInteger() ? a : Coercion.to(a, DataType.BIGINT);
    }

    /** Brings an operand to a number type. */
    private static Expr operand(Expr value, DataType other, String name) {
        DataType type = value.type();
        if (type.isNumeric()) {
            return value;
        }
        if (type.id() == TypeId.NULL) {
            return Literal.nullOf(other.isNumeric() ? other : DataType.TINYINT);
        }
        if (type.id() == TypeId.BOOLEAN) {
            return Coercion.to(value, DataType.TINYINT);
        }
        if (type.isDateLike()) {
            return Coercion.to(value, DataType.BIGINT);
        }
        if (value instanceof Literal literal && type.isText()) {
            return textLiteral(literal, other, name);
        }
        if (type.isText() || type.id() == TypeId.TIME || type.id() == TypeId.JSON || type.id() == TypeId.VARIANT) {
            return Coercion.to(value, DataType.DOUBLE);
        }
        throw new ThetisException(ErrorCode.ANALYSIS, "operator " + name + " does not take values of type " + type);
    }

    private static Expr textLiteral(Literal literal, DataType other, String name) {
        if (literal.isNull()) {
            return Literal.nullOf(other.isNumeric() ? other : DataType.DOUBLE);
        }
        if (Casts.number(literal).isEmpty()) {
            throw new ThetisException(
                    ErrorCode.ANALYSIS, "operator " + name + " needs a number, got '" + literal.text() + "'");
        }
        if (other.isInteger()) {
            Literal exact = Casts.fold(literal, other);
            if (exact != null && Casts.number(exact).equals(Casts.number(literal))) {
                return exact;
            }
        }
        return Coercion.to(literal, DataType.DOUBLE);
    }

    private static boolean isApproximate(DataType a, DataType b) {
        return a.isFloatingPoint() || b.isFloatingPoint();
    }

    private static Expr call(String name, Expr left, Expr right, DataType operands, DataType result, NullMode nulls) {
        return new ScalarCall(
                name, List.of(Coercion.to(left, operands), Coercion.to(right, operands)), result, nulls, false);
    }

    private static Expr plain(String name, Expr a, Expr b) {
        if (isApproximate(a.type(), b.type())) {
            return call(name, a, b, DataType.DOUBLE, DataType.DOUBLE, NullMode.PROPAGATE);
        }
        if (a.type().isDecimal() || b.type().isDecimal()) {
            DataType left = WidenedTypes.asDecimal(a.type());
            DataType right = WidenedTypes.asDecimal(b.type());
            return name.equals("multiply")
                    ? product(Coercion.to(a, left), Coercion.to(b, right))
                    : sum(name, a, b, left, right);
        }
        DataType type = nextWider(WidenedTypes.numeric(a.type(), b.type()));
        return call(name, a, b, type, type, NullMode.PROPAGATE);
    }

    private static Expr sum(String name, Expr a, Expr b, DataType left, DataType right) {
        int scale = Math.max(left.scale(), right.scale());
        int integerDigits = Math.max(left.precision() - left.scale(), right.precision() - right.scale()) + 1;
        if (integerDigits + scale > MAX) {
            scale = Math.max(0, MAX - integerDigits);
        }
        DataType type = DataType.decimal(Math.min(MAX, integerDigits + scale), scale);
        return call(name, a, b, type, type, NullMode.PROPAGATE);
    }

    /** Operands keep their scales and get one width. */
    private static Expr product(Expr a, Expr b) {
        int precision = a.type().precision() + b.type().precision();
        int scale = a.type().scale() + b.type().scale();
        if (precision > MAX) {
            int integerDigits = precision - scale;
            scale = integerDigits < MAX - OVERFLOW_SCALE ? MAX - integerDigits : Math.min(scale, OVERFLOW_SCALE);
            precision = MAX;
        }
        int width =
                Math.max(widthDigits(a.type().precision()), widthDigits(b.type().precision()));
        return new ScalarCall(
                "multiply",
                List.of(widen(a, width), widen(b, width)),
                DataType.decimal(precision, scale),
                NullMode.PROPAGATE,
                false);
    }

    /** Most digits of the physical form that holds so many. */
    private static int widthDigits(int precision) {
        return precision <= 9 ? 9 : precision <= 18 ? 18 : MAX;
    }

    private static Expr widen(Expr value, int digits) {
        DataType type = value.type();
        return widthDigits(type.precision()) == digits
                ? value
                : Coercion.to(value, DataType.decimal(digits, type.scale()));
    }

    private static DataType nextWider(DataType type) {
        return switch (type.id()) {
            case BOOLEAN, TINYINT -> DataType.SMALLINT;
            case SMALLINT -> DataType.INT;
            case INT -> DataType.BIGINT;
            default -> type;
        };
    }

    private static Expr divide(Expr a, Expr b) {
        boolean decimal = (a.type().isDecimal() || b.type().isDecimal()) && !isApproximate(a.type(), b.type());
        if (!decimal) {
            return call("divide", a, b, DataType.DOUBLE, DataType.DOUBLE, NullMode.ALWAYS);
        }
        DataType left = WidenedTypes.asDecimal(a.type());
        DataType right = WidenedTypes.asDecimal(b.type());
        int integerDigits = left.precision() - left.scale();
        int scale = left.scale() + right.scale() + DIVISION_SCALE_INCREMENT;
        int precision = integerDigits + scale;
        if (precision > MAX) {
            // The scale stays: sums carry 38 digits by type but rarely by value; a value that does not fit is an
            // overflow error.
            scale = Math.min(scale, MAX);
            precision = MAX;
        }
        int width = Math.max(widthDigits(precision), widthDigits(right.precision()));
        Expr dividend = Coercion.to(a, DataType.decimal(width == widthDigits(precision) ? precision : width, scale));
        Expr divisor = widen(Coercion.to(b, right), width);
        DataType result = DataType.decimal(dividend.type().precision(), scale - right.scale());
        return new ScalarCall("divide", List.of(dividend, divisor), result, NullMode.ALWAYS, false);
    }

    private static Expr integerDivide(Expr a, Expr b) {
        boolean integers = a.type().isInteger() && b.type().isInteger();
        DataType type = integers ? WidenedTypes.numeric(a.type(), b.type()) : DataType.BIGINT;
        return call("int_divide", a, b, type, type, NullMode.ALWAYS);
    }

    private static Expr modulo(Expr a, Expr b) {
        DataType type = WidenedTypes.numeric(a.type(), b.type());
        return call("mod", a, b, type, type, NullMode.ALWAYS);
    }
}
