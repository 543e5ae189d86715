// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.expr;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.type.DataType;
import org.thetis.catalog.type.TypeId;

/**
 * Computes expressions over literals, only where the result cannot differ from a back end's: comparisons, logic, exact
 * arithmetic without overflow, casts in range, and date shifts (which partition pruning needs).
 */
public final class ExprFolder {
    private ExprFolder() {}

    /** The expression with every part over literals computed. */
    public static Expr fold(Expr expression) {
        return expression.rewrite(ExprFolder::foldNode);
    }

    /** The node computed when its inputs are literals, or simplified; otherwise itself. */
    public static Expr foldNode(Expr node) {
        if (node instanceof Cast cast && cast.child() instanceof Literal literal) {
            Literal folded = Casts.fold(literal, cast.type());
            return folded == null ? node : folded;
        }
        if (node instanceof Connective connective) {
            return connective(connective);
        }
        if (node instanceof CaseWhen when) {
            return caseWhen(when);
        }
        if (node instanceof InList in) {
            return inList(in);
        }
        if (node instanceof ScalarCall call && !call.isVolatile()) {
            return call(call);
        }
        return node;
    }

    private static Expr connective(Connective connective) {
        boolean and = connective.and();
        List<Expr> kept = new ArrayList<>();
        for (Expr child : connective.children()) {
            if (child instanceof Literal literal && literal.value() instanceof Boolean truth) {
                if (truth != and) {
                    return Literal.of(!and);
                }
                continue;
            }
            if (child instanceof Connective nested && nested.and() == and) {
                kept.addAll(nested.children());
            } else if (!kept.contains(child)) {
                kept.add(child);
            }
        }
        if (kept.size() == connective.children().size()) {
            return connective;
        }
        return and ? Conjuncts.and(kept) : Conjuncts.or(kept);
    }

    private static Expr caseWhen(CaseWhen when) {
        List<Expr> conditions = new ArrayList<>();
        List<Expr> results = new ArrayList<>();
        Expr otherwise = when.otherwise();
        for (int i = 0; i < when.conditions().size(); i++) {
            if (when.conditions().get(i) instanceof Literal literal) {
                if (literal.isNeverTrue()) {
                    continue;
                }
                if (literal.isTrue()) {
                    otherwise = when.results().get(i);
                    break;
                }
            }
            conditions.add(when.conditions().get(i));
            results.add(when.results().get(i));
        }
        if (conditions.isEmpty()) {
            return otherwise == null ? Literal.nullOf(when.type()) : otherwise;
        }
        return conditions.size() == when.conditions().size()
                ? when
                : new CaseWhen(conditions, results, otherwise, when.type());
    }

    private static Expr inList(InList in) {
        if (!(in.value() instanceof Literal value)) {
            return in;
        }
        if (value.isNull()) {
            return Literal.nullOf(DataType.BOOLEAN);
        }
        boolean unknown = false;
        for (Expr option : in.options()) {
            if (!(option instanceof Literal literal)) {
                return in;
            }
            OptionalInt order = LiteralOrder.compare(value, literal);
            if (order.isPresent() && order.getAsInt() == 0) {
                return Literal.of(!in.negated());
            }
            unknown |= literal.isNull();
            if (order.isEmpty() && !literal.isNull()) {
                return in;
            }
        }
        return unknown ? Literal.nullOf(DataType.BOOLEAN) : Literal.of(in.negated());
    }

    private static Expr call(ScalarCall call) {
        List<Expr> arguments = call.children();
        switch (call.name()) {
            case "is_null", "is_not_null" -> {
                Expr value = arguments.get(0);
                boolean wantsNull = call.is("is_null");
                return value instanceof Literal literal
                        ? Literal.of(literal.isNull() == wantsNull)
                        : value.nullable() ? call : Literal.of(!wantsNull);
            }
            case "not" -> {
                return not(call);
            }
            default -> {}
        }
        boolean propagates = call.nulls() == NullMode.PROPAGATE
                || OperatorNames.infix(call.name()) != null && !call.is("eq_for_null");
        if (propagates && arguments.stream().anyMatch(a -> a instanceof Literal literal && literal.isNull())) {
            return Literal.nullOf(call.type());
        }
        if (arguments.isEmpty() || !arguments.stream().allMatch(a -> a instanceof Literal)) {
            return call;
        }
        Literal folded = compute(call, arguments.stream().map(a -> (Literal) a).toList());
        return folded == null ? call : folded;
    }

    private static Expr not(ScalarCall call) {
        Expr value = call.child(0);
        if (value instanceof Literal literal) {
            return literal.value() instanceof Boolean truth
                    ? Literal.of(!truth)
                    : literal.isNull() ? Literal.nullOf(DataType.BOOLEAN) : call;
        }
        if (value instanceof ScalarCall inner) {
            String negated = OperatorNames.negated(inner.name());
            if (negated != null) {
                return new ScalarCall(negated, inner.children(), inner.type(), inner.nulls(), false);
            }
            return switch (inner.name()) {
                case "not" -> inner.child(0);
                case "is_null" -> new ScalarCall("is_not_null", inner.children(), inner.type(), inner.nulls(), false);
                case "is_not_null" -> new ScalarCall("is_null", inner.children(), inner.type(), inner.nulls(), false);
                default -> call;
            };
        }
        if (value instanceof InList in) {
            return new InList(in.value(), in.options(), !in.negated());
        }
        if (value instanceof Subquery subquery && subquery.kind() != Subquery.Kind.SCALAR) {
            return new Subquery(subquery.kind(), subquery.value(), subquery.plan(), !subquery.negated());
        }
        if (value instanceof Connective connective) {
            List<Expr> children = new ArrayList<>();
            for (Expr child : connective.children()) {
                children.add(
                        foldNode(new ScalarCall("not", List.of(child), DataType.BOOLEAN, NullMode.PROPAGATE, false)));
            }
            return new Connective(!connective.and(), children);
        }
        return call;
    }

    private static @Nullable Literal compute(ScalarCall call, List<Literal> arguments) {
        if (OperatorNames.isComparison(call.name()) && arguments.size() == 2) {
            return compare(call.name(), arguments.get(0), arguments.get(1));
        }
        if (arguments.size() == 2
                && arguments.get(0).type().isDateLike()
                && arguments.get(1).type().isInteger()) {
            return dateShift(call, arguments.get(0), arguments.get(1).longValue());
        }
        if (call.is("like")
                && arguments.get(0).value() instanceof String text
                && arguments.get(1).value() instanceof String pattern) {
            return Literal.of(LikePattern.matches(text, pattern));
        }
        if (arguments.size() == 2) {
            return arithmetic(call, arguments.get(0), arguments.get(1));
        }
        return null;
    }

    private static @Nullable Literal compare(String name, Literal a, Literal b) {
        if (name.equals("eq_for_null") && (a.isNull() || b.isNull())) {
            return Literal.of(a.isNull() && b.isNull());
        }
        OptionalInt order = LiteralOrder.compare(a, b);
        if (order.isEmpty()) {
            return null;
        }
        int sign = order.getAsInt();
        return Literal.of(
                switch (name) {
                    case "eq", "eq_for_null" -> sign == 0;
                    case "ne" -> sign != 0;
                    case "lt" -> sign < 0;
                    case "le" -> sign <= 0;
                    case "gt" -> sign > 0;
                    default -> sign >= 0;
                });
    }

    private static @Nullable Literal arithmetic(ScalarCall call, Literal a, Literal b) {
        DataType type = call.type();
        if (a.value() instanceof Double x && b.value() instanceof Double y && type.id() == TypeId.DOUBLE) {
            Double result =
                    switch (call.name()) {
                        case "add" -> x + y;
                        case "subtract" -> x - y;
                        case "multiply" -> x * y;
                        case "divide" -> y == 0 ? null : (Double) (x / y);
                        default -> null;
                    };
            boolean byZero = call.is("divide") && y == 0;
            return byZero
                    ? Literal.nullOf(type)
                    : result == null || !Double.isFinite(result) ? null : new Literal(result, type);
        }
        if (!(type.isInteger() || type.isDecimal())
                || a.type().isFloatingPoint()
                || b.type().isFloatingPoint()) {
            return null;
        }
        BigDecimal x = Casts.number(a).orElse(null);
        BigDecimal y = Casts.number(b).orElse(null);
        if (x == null || y == null) {
            return null;
        }
        boolean zero = y.signum() == 0;
        BigDecimal result =
                switch (call.name()) {
                    case "add" -> x.add(y);
                    case "subtract" -> x.subtract(y);
                    case "multiply" -> x.multiply(y);
                    case "int_divide" -> zero ? null : x.divideToIntegralValue(y);
                    case "mod" -> zero ? null : x.remainder(y);
                    default -> null;
                };
        if (zero && (call.is("int_divide") || call.is("mod") || call.is("divide"))) {
            return Literal.nullOf(type);
        }
        return result == null ? null : exact(result, type);
    }

    /** The number as a literal of the type, or null when it does not fit exactly. */
    private static @Nullable Literal exact(BigDecimal number, DataType type) {
        if (type.isDecimal()) {
            if (number.stripTrailingZeros().scale() > type.scale()) {
                return null;
            }
            BigDecimal scaled = number.setScale(type.scale(), RoundingMode.UNNECESSARY);
            return scaled.precision() > type.precision() ? null : new Literal(scaled, type);
        }
        BigInteger integer = number.toBigIntegerExact();
        int bits =
                switch (type.id()) {
                    case TINYINT -> 8;
                    case SMALLINT -> 16;
                    case INT -> 32;
                    case BIGINT -> 64;
                    default -> 128;
                };
        return integer.bitLength() >= bits
                ? null
                : new Literal(bits == 128 ? integer : (Object) integer.longValueExact(), type);
    }

    private static @Nullable Literal dateShift(ScalarCall call, Literal date, long amount) {
        int underscore = call.name().lastIndexOf('_');
        if (underscore < 0 || Math.abs(amount) > 4_000_000_000L) {
            return null;
        }
        String direction = call.name().substring(underscore + 1);
        if (!direction.equals("add") && !direction.equals("sub")) {
            return null;
        }
        long by = direction.equals("add") ? amount : -amount;
        long micros = date.type().id() == TypeId.DATE ? date.longValue() * DateTimes.MICROS_PER_DAY : date.longValue();
        LocalDateTime from = DateTimes.dateTime(micros);
        LocalDateTime to =
                switch (call.name().substring(0, underscore)) {
                    case "years" -> from.plusYears(by);
                    case "quarters" -> from.plusMonths(3 * by);
                    case "months" -> from.plusMonths(by);
                    case "weeks" -> from.plusWeeks(by);
                    case "days" -> from.plusDays(by);
                    case "hours" -> from.plusHours(by);
                    case "minutes" -> from.plusMinutes(by);
                    case "seconds" -> from.plusSeconds(by);
                    default -> null;
                };
        if (to == null) {
            return null;
        }
        long result = DateTimes.micros(to);
        if (!DateTimes.inRange(result)) {
            return null;
        }
        return call.type().id() == TypeId.DATE
                ? Literal.date(Math.floorDiv(result, DateTimes.MICROS_PER_DAY))
                : new Literal(result, call.type());
    }
}
