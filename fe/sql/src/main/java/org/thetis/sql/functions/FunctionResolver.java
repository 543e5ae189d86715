// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.functions;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.base.text.NearestNames;
import org.thetis.catalog.type.DataType;
import org.thetis.catalog.type.TypeId;
import org.thetis.sql.expr.AggregateCall;
import org.thetis.sql.expr.Casts;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.NullMode;
import org.thetis.sql.expr.ScalarCall;
import org.thetis.sql.expr.SortKey;

/** Chooses the signature of a call by the least total cost of casts, inserts the casts and derives the result type. */
public final class FunctionResolver {
    private static final int IMPOSSIBLE = 1_000_000;

    private final FunctionCatalog catalog;

    public FunctionResolver(FunctionCatalog catalog) {
        this.catalog = catalog;
    }

    /** The catalog behind this. */
    public FunctionCatalog catalog() {
        return catalog;
    }

    /** Whether the name is an aggregate's. */
    public boolean isAggregate(String name) {
        return catalog.find(FunctionEntry.Kind.AGGREGATE, name).isPresent();
    }

    /** A call of a scalar function; fails with ANALYSIS naming similar functions or the signatures there are. */
    public Expr scalar(String name, List<Expr> arguments) {
        FunctionEntry entry = catalog.find(FunctionEntry.Kind.SCALAR, name).orElseThrow(() -> unknown(name));
        Match match = match(entry, name, arguments);
        DataType type = ReturnRules.type(entry.returnRule(), match.arguments, match.result);
        return new ScalarCall(
                entry.name(),
                match.arguments,
                type,
                ReturnRules.nulls(entry.returnRule(), entry.nulls()),
                entry.isVolatile());
    }

    /** A call of an aggregate function. */
    public AggregateCall aggregate(String name, List<Expr> arguments, boolean distinct, List<SortKey> orderBy) {
        FunctionEntry entry = catalog.find(FunctionEntry.Kind.AGGREGATE, name).orElseThrow(() -> unknown(name));
        Match match = match(entry, name, arguments);
        DataType type = ReturnRules.type(entry.returnRule(), match.arguments, match.result);
        NullMode nulls = entry.emptyIsZero() ? NullMode.NEVER : NullMode.ALWAYS;
        return new AggregateCall(entry.name(), match.arguments, distinct, orderBy, type, stateType(entry, type), nulls);
    }

    /** Type and converted arguments of a window function that is no aggregate. */
    public Optional<ScalarCall> window(String name, List<Expr> arguments) {
        return catalog.find(FunctionEntry.Kind.WINDOW, name).map(entry -> {
            Match match = match(entry, name, arguments);
            return new ScalarCall(
                    entry.name(),
                    match.arguments,
                    ReturnRules.type(entry.returnRule(), match.arguments, match.result),
                    entry.nulls(),
                    false);
        });
    }

    /** The failure for a name that no function has. */
    public ThetisException unknown(String name) {
        return new ThetisException(
                ErrorCode.ANALYSIS,
                "Can not found function '" + name + "'" + NearestNames.suggestion(name, catalog.names()));
    }

    private static DataType stateType(FunctionEntry entry, DataType result) {
        return switch (entry.state()) {
            case "same", "" -> result;
            case "binary" -> DataType.VARCHAR;
            default -> {
                TypePattern pattern = TypePattern.parse(entry.state());
                yield pattern.type() == null ? result : pattern.type();
            }
        };
    }

    private record Match(List<Expr> arguments, DataType result, int cost) {}

    private static Match match(FunctionEntry entry, String name, List<Expr> arguments) {
        Match best = null;
        for (Signature signature : entry.signatures()) {
            if (!signature.takes(arguments.size())) {
                continue;
            }
            Match candidate = tryMatch(signature, arguments);
            if (candidate != null && (best == null || candidate.cost < best.cost)) {
                best = candidate;
            }
        }
        if (best == null) {
            String types = arguments.stream().map(a -> a.type().toString()).collect(Collectors.joining(", "));
            String known = entry.signatures().stream().map(Signature::text).collect(Collectors.joining("; "));
            throw new ThetisException(
                    ErrorCode.ANALYSIS,
                    "Can not find the compatibility function signature: " + name + "(" + types + "); there are: "
                            + known);
        }
        return best;
    }

    private static @Nullable Match tryMatch(Signature signature, List<Expr> arguments) {
        DataType variable = null;
        List<DataType> bound = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            if (signature.argument(i).kind() == TypePattern.Kind.VARIABLE) {
                bound.add(arguments.get(i).type());
            }
        }
        if (!bound.isEmpty()) {
            Optional<DataType> common = WidenedTypes.branch(bound);
            if (common.isEmpty()) {
                return null;
            }
            variable = common.get();
        }
        int cost = 0;
        List<Expr> converted = new ArrayList<>(arguments.size());
        for (int i = 0; i < arguments.size(); i++) {
            TypePattern pattern = signature.argument(i);
            DataType target = target(pattern, arguments.get(i), variable);
            if (target == null) {
                return null;
            }
            cost += pattern.kind() == TypePattern.Kind.VARIABLE || pattern.kind() == TypePattern.Kind.ANY
                    ? 1
                    : cost(arguments.get(i), target);
            if (cost >= IMPOSSIBLE) {
                return null;
            }
            converted.add(Coercion.to(arguments.get(i), target));
        }
        DataType result = result(signature.result(), converted, variable);
        return result == null ? null : new Match(converted, result, cost);
    }

    /** The type an argument must have. */
    private static @Nullable DataType target(TypePattern pattern, Expr argument, @Nullable DataType variable) {
        DataType type = argument.type();
        return switch (pattern.kind()) {
            case EXACT -> pattern.type();
            case TEXT -> type.isText() ? type : DataType.STRING;
            case VARIABLE -> variable;
            case ANY -> type;
            case ANY_DATETIME -> type.id() == TypeId.DATETIME ? type : dateTimeOf(argument);
            case ANY_DECIMAL ->
                type.isDecimal()
                        ? type
                        : WidenedTypes.isNumberLike(type) || type.id() == TypeId.NULL
                                ? WidenedTypes.asDecimal(type)
                                : null;
        };
    }

    private static DataType dateTimeOf(Expr argument) {
        if (argument instanceof Literal literal && argument.type().isText()) {
            long micros = Casts.toMicros(literal).orElse(0L);
            return DataType.datetime(micros % 1_000_000 == 0 ? 0 : 6);
        }
        return DataType.datetime(argument.type().isText() ? 6 : 0);
    }

    private static @Nullable DataType result(TypePattern pattern, List<Expr> arguments, @Nullable DataType variable) {
        return switch (pattern.kind()) {
            case EXACT, TEXT -> pattern.type();
            case VARIABLE -> variable;
            case ANY -> null;
            case ANY_DECIMAL ->
                arguments.stream()
                        .map(Expr::type)
                        .filter(DataType::isDecimal)
                        .findFirst()
                        .orElse(DataType.decimal(38, 0));
            case ANY_DATETIME ->
                arguments.stream()
                        .map(Expr::type)
                        .filter(type -> type.id() == TypeId.DATETIME)
                        .findFirst()
                        .orElse(DataType.DATETIME);
        };
    }

    /** How unlikely it is that the user meant the argument to become this type; 0 for the same. */
    static int cost(Expr argument, DataType to) {
        DataType from = argument.type();
        if (from.equals(to) || from.id() == TypeId.NULL || from.isText() && to.isText()) {
            return 0;
        }
        if (from.id() == to.id()) {
            return 1;
        }
        if (WidenedTypes.isNumberLike(from) && WidenedTypes.isNumberLike(to)) {
            int up = to.id().rank() - from.id().rank();
            boolean loses = up < 0 || from.isDecimal() && to.isFloatingPoint() && !(argument instanceof Literal);
            return loses ? 40 - up : up + (to.isFloatingPoint() || to.isDecimal() ? 5 : 0);
        }
        if (from.isDateLike() && to.isDateLike()) {
            return to.id() == TypeId.DATETIME ? 3 : 30;
        }
        if (from.isText()) {
            return fromText(argument, to);
        }
        if (to.isText()) {
            return from.isNested() || from.isAggregateState() ? IMPOSSIBLE : 60;
        }
        if (from.isDateLike() && to.isInteger()) {
            return 70;
        }
        if (WidenedTypes.isNumberLike(from) && to.isDateLike()) {
            return 75;
        }
        return IMPOSSIBLE;
    }

    private static int fromText(Expr argument, DataType to) {
        if (to.isDateLike()) {
            if (argument instanceof Literal literal) {
                Optional<Long> micros = Casts.toMicros(literal);
                boolean isDate = micros.isPresent()
                        && Math.floorMod(micros.get(), 86_400_000_000L) == 0
                        && String.valueOf(literal.value()).length() <= 10;
                return (to.id() == TypeId.DATE) == isDate ? 10 : 12;
            }
            return to.id() == TypeId.DATETIME ? 20 : 25;
        }
        if (WidenedTypes.isNumberLike(to)) {
            return 50 + (to.id() == TypeId.DOUBLE ? 0 : 5);
        }
        return switch (to.id()) {
            case JSON, TIME, IPV4, IPV6 -> 30;
            default -> IMPOSSIBLE;
        };
    }
}
