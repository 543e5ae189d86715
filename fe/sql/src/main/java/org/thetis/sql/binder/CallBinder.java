// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.binder;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.type.DataType;
import org.thetis.catalog.type.TypeId;
import org.thetis.sql.ast.Expression;
import org.thetis.sql.ast.IntervalUnit;
import org.thetis.sql.expr.AggregateCall;
import org.thetis.sql.expr.Casts;
import org.thetis.sql.expr.DateTimes;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.ScalarCall;
import org.thetis.sql.expr.SortKey;
import org.thetis.sql.functions.Arithmetic;
import org.thetis.sql.functions.Calls;
import org.thetis.sql.functions.Coercion;
import org.thetis.sql.functions.FunctionEntry;
import org.thetis.sql.functions.FunctionResolver;

/** Binds function calls: session functions to their values, special forms to plain functions, the rest by the catalog. */
final class CallBinder {
    private static final Set<String> SHIFTS =
            Set.of("date_add", "date_sub", "adddate", "subdate", "days_add", "days_sub");

    private static final int MAX_SLEEP_SECONDS = 86_400;
    private static final String CONCAT_SEPARATOR = ",";
    private static final Pattern TIME_SPECIFIER = Pattern.compile("%[fHhIiklprSsT]");

    private final BindContext context;
    private final ExprBinder binder;
    private final ExprBinder.Rules rules;

    CallBinder(BindContext context, ExprBinder binder, ExprBinder.Rules rules) {
        this.context = context;
        this.binder = binder;
        this.rules = rules;
    }

    private FunctionResolver functions() {
        return context.functions();
    }

    Expr bind(Expression.FunctionCall call) {
        String name = call.name().get(call.name().size() - 1).toLowerCase(Locale.ROOT);
        if (call.window() != null) {
            return window(call, name);
        }
        if (functions().isAggregate(name)
                && functions().catalog().find(FunctionEntry.Kind.SCALAR, name).isEmpty()) {
            return aggregate(call, name);
        }
        if (call.arguments().isEmpty() || call.arguments().size() == 1 && isClock(name)) {
            Optional<Expr> value = sessionValue(name, call.arguments());
            if (value.isPresent()) {
                return value.get();
            }
        }
        if (call.distinct()) {
            throw Errors.analysis("DISTINCT is for aggregate functions, " + name + " is none", call.position());
        }
        Expr special = special(call, name);
        return special != null ? special : functions().scalar(name, binder.bindAll(call.arguments()));
    }

    /** A name without parentheses that stands for a call, such as CURRENT_DATE. */
    Optional<Expr> bareName(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.startsWith("current_") || lower.startsWith("local")
                ? sessionValue(lower, List.of())
                : Optional.empty();
    }

    private static boolean isClock(String name) {
        return switch (name) {
            case "now", "current_timestamp", "localtime", "localtimestamp", "sysdate" -> true;
            default -> false;
        };
    }

    private Optional<Expr> sessionValue(String name, List<Expression> arguments) {
        SessionFacts session = context.session();
        return Optional.ofNullable(
                switch (name) {
                    case "now", "current_timestamp", "localtime", "localtimestamp", "sysdate" ->
                        now(session.timeZone(), arguments);
                    case "utc_timestamp" -> now(ZoneOffset.UTC, List.of());
                    case "utc_date" ->
                        Literal.date(local(ZoneOffset.UTC).toLocalDate().toEpochDay());
                    case "utc_time" ->
                        new Literal(local(ZoneOffset.UTC).toLocalTime().toSecondOfDay() * 1_000_000L, DataType.time(0));
                    case "curdate", "current_date" ->
                        Literal.date(local(session.timeZone()).toLocalDate().toEpochDay());
                    case "curtime", "current_time" ->
                        new Literal(
                                local(session.timeZone()).toLocalTime().toSecondOfDay() * 1_000_000L, DataType.time(0));
                    case "unix_timestamp" ->
                        Literal.bigint(session.statementTime().getEpochSecond());
                    case "database", "schema" ->
                        session.currentDatabase().map(Literal::string).orElse(Literal.nullOf(DataType.VARCHAR));
                    case "current_catalog" -> Literal.string(session.currentCatalog());
                    case "user", "session_user", "system_user" -> Literal.string(session.user());
                    case "current_user" -> Literal.string(session.currentUser());
                    case "connection_id" -> Literal.bigint(session.connectionId());
                    case "last_query_id" -> Literal.string(session.lastQueryId());
                    case "version" -> Literal.string(session.serverVersion());
                    default -> null;
                });
    }

    private LocalDateTime local(ZoneId zone) {
        Instant instant = context.session().statementTime();
        return LocalDateTime.ofInstant(instant, zone);
    }

    private Literal now(ZoneId zone, List<Expression> arguments) {
        int scale = 0;
        if (!arguments.isEmpty()) {
            scale = (int) constant(binder.bind(arguments.get(0)), "scale of now()", 0, 6);
        }
        long unit = 1;
        for (int i = scale; i < 6; i++) {
            unit *= 10;
        }
        long micros = DateTimes.micros(local(zone));
        return Literal.dateTime(Math.floorDiv(micros, unit) * unit, scale);
    }

    private static long constant(Expr value, String what, long min, long max) {
        if (value instanceof Literal literal
                && literal.type().isInteger()
                && literal.longValue() >= min
                && literal.longValue() <= max) {
            return literal.longValue();
        }
        throw Errors.analysis(what + " must be a constant from " + min + " to " + max, null);
    }

    /** Forms that are not plain calls; null when the call is plain. */
    private @Nullable Expr special(Expression.FunctionCall call, String name) {
        List<Expression> arguments = call.arguments();
        int count = arguments.size();
        if (SHIFTS.contains(name) && count == 2) {
            boolean forward = name.endsWith("add") || name.equals("adddate");
            if (arguments.get(1) instanceof Expression.Interval interval) {
                return shift(binder.bind(arguments.get(0)), interval, forward);
            }
            return shift(binder.bind(arguments.get(0)), binder.bind(arguments.get(1)), "days", forward);
        }
        if (count == 2 && arguments.get(1) instanceof Expression.Interval interval) {
            // date_floor(d, INTERVAL 5 MINUTE) and kin.
            if (name.equals("date_floor") || name.equals("date_ceil")) {
                String unit = interval.unit().name().toLowerCase(Locale.ROOT);
                return functions()
                        .scalar(
                                unit + name.substring(4),
                                List.of(binder.bind(arguments.get(0)), binder.bind(interval.amount())));
            }
        }
        return switch (name) {
            case "extract" ->
                count == 2
                        ? functions().scalar(unitName(arguments.get(0)), List.of(binder.bind(arguments.get(1))))
                        : null;
            case "timestampdiff" ->
                count == 3
                        ? functions()
                                .scalar(
                                        unitName(arguments.get(0)) + "s_diff",
                                        List.of(binder.bind(arguments.get(2)), binder.bind(arguments.get(1))))
                        : null;
            case "timestampadd" ->
                count == 3
                        ? shift(
                                binder.bind(arguments.get(2)),
                                binder.bind(arguments.get(1)),
                                unitName(arguments.get(0)) + "s",
                                true)
                        : null;
            case "ifnull", "nvl" -> count == 2 && !inCatalog(name) ? coalesce(binder.bindAll(arguments)) : null;
            case "coalesce" -> count > 0 && !inCatalog(name) ? coalesce(binder.bindAll(arguments)) : null;
            case "if" -> count == 3 ? ifCall(arguments) : null;
            case "nullif" -> count == 2 && !inCatalog(name) ? nullIf(binder.bindAll(arguments)) : null;
            case "mod" ->
                count == 2
                        ? Arithmetic.binary("mod", binder.bind(arguments.get(0)), binder.bind(arguments.get(1)))
                        : null;
            case "add", "subtract", "multiply", "divide", "int_divide" ->
                count == 2
                        ? Arithmetic.binary(name, binder.bind(arguments.get(0)), binder.bind(arguments.get(1)))
                        : null;
            case "decode" -> count > 2 ? CallRewrites.decode(call, binder) : null;
            case "regr_slope" -> count == 2 ? binder.bind(CallRewrites.regressionSlope(call)) : null;
            case "regr_intercept" -> count == 2 ? binder.bind(CallRewrites.regressionIntercept(call)) : null;
            case "sleep" -> count == 1 ? sleep(arguments.get(0)) : null;
            case "convert_to" -> throw Errors.notSupported("CONVERT USING of other than UTF-8", call.position());
            case "negative" -> count == 1 ? Arithmetic.negate(binder.bind(arguments.get(0))) : null;
            case "isnull" -> count == 1 ? Calls.isNull(binder.bind(arguments.get(0))) : null;
            case "str_to_date" -> count == 2 ? strToDate(binder.bindAll(arguments)) : null;
            case "grouping", "grouping_id" ->
                new ScalarCall(
                        name, binder.bindAll(arguments), DataType.BIGINT, org.thetis.sql.expr.NullMode.NEVER, false);
            default -> null;
        };
    }

    /** The statement pauses once before it runs; the value is TRUE. */
    private Expr sleep(Expression seconds) {
        context.sleep((int) constant(binder.bind(seconds), "argument of sleep()", 0, MAX_SLEEP_SECONDS));
        return Literal.of(true);
    }

    /** A constant format without a part of the time of day gives a DATE, one with %f a DATETIME(6). */
    private Expr strToDate(List<Expr> arguments) {
        Expr value = functions().scalar("str_to_date", arguments);
        if (!(arguments.get(1) instanceof Literal format)
                || format.isNull()
                || !format.type().isText()) {
            return value;
        }
        String specifiers = String.valueOf(format.value()).replace("%%", "");
        if (!TIME_SPECIFIER.matcher(specifiers).find()) {
            return Coercion.to(value, DataType.DATE);
        }
        return specifiers.contains("%f") && value instanceof ScalarCall call
                ? new ScalarCall(call.name(), call.children(), DataType.datetime(6), call.nulls(), false)
                : value;
    }

    private boolean inCatalog(String name) {
        return functions().catalog().find(FunctionEntry.Kind.SCALAR, name).isPresent();
    }

    private static String unitName(Expression expression) {
        String text;
        if (expression instanceof Expression.ColumnReference reference
                && reference.parts().size() == 1) {
            text = reference.parts().get(0);
        } else if (expression instanceof Expression.StringLiteral literal) {
            text = literal.value();
        } else {
            throw Errors.analysis("expected a unit of time", expression.position());
        }
        String lower = text.toLowerCase(Locale.ROOT);
        for (IntervalUnit unit : IntervalUnit.values()) {
            if (unit.name().toLowerCase(Locale.ROOT).equals(lower)) {
                return lower;
            }
        }
        throw Errors.analysis("unknown unit of time '" + text + "'", expression.position());
    }

    private Expr ifCall(List<Expression> arguments) {
        Expr condition = binder.condition(arguments.get(0));
        List<Expr> branches = binder.bindAll(arguments.subList(1, 3));
        if (inCatalog("if")) {
            return functions().scalar("if", List.of(condition, branches.get(0), branches.get(1)));
        }
        return ExprBinder.caseOf(List.of(condition), List.of(branches.get(0)), branches.get(1));
    }

    private static Expr coalesce(List<Expr> values) {
        List<Expr> conditions = new ArrayList<>();
        List<Expr> results = values.subList(0, values.size() - 1);
        results.forEach(value -> conditions.add(Calls.isNotNull(value)));
        Expr last = values.get(values.size() - 1);
        return results.isEmpty() ? last : ExprBinder.caseOf(conditions, results, last);
    }

    private static Expr nullIf(List<Expr> values) {
        Expr first = values.get(0);
        return ExprBinder.caseOf(
                List.of(ExprBinder.compare("eq", first, values.get(1))), List.of(Literal.nullOf(first.type())), first);
    }

    /** value ± INTERVAL. */
    Expr shift(Expr value, Expression.Interval interval, boolean forward) {
        Expr amount = binder.bind(interval.amount());
        if (interval.unit().name().indexOf('_') >= 0) {
            CompoundInterval steps = CompoundInterval.read(interval.unit(), amount, interval.position());
            Expr shifted = value;
            for (CompoundInterval.Step step : steps.steps()) {
                shifted = shift(shifted, Literal.integer(step.count()), step.units(), forward);
            }
            return shifted;
        }
        return shift(value, amount, interval.unit().name().toLowerCase(Locale.ROOT) + "s", forward);
    }

    private Expr shift(Expr value, Expr amount, String units, boolean forward) {
        Expr date = value;
        if (value instanceof Literal literal && value.type().isText()) {
            long micros = Casts.toMicros(literal).orElse(Long.MIN_VALUE);
            if (micros != Long.MIN_VALUE) {
                boolean isDate = String.valueOf(literal.value()).strip().length() <= 10;
                date = isDate
                        ? Literal.date(Math.floorDiv(micros, DateTimes.MICROS_PER_DAY))
                        : Coercion.to(literal, DataType.datetime(micros % 1_000_000 == 0 ? 0 : 6));
            }
        } else if (!value.type().isDateLike()) {
            date = Coercion.to(value, DataType.datetime(value.type().isText() ? 6 : 0));
        }
        if (date.type().id() == TypeId.DATE && isTimeUnit(units)) {
            date = Coercion.to(date, DataType.datetime(units.startsWith("mi") && !units.equals("minutes") ? 6 : 0));
        }
        Expr steps = amount instanceof Literal literal && amount.type().isText()
                ? Coercion.to(literal, DataType.INT)
                : amount;
        return functions().scalar(units + (forward ? "_add" : "_sub"), List.of(date, steps));
    }

    private static boolean isTimeUnit(String units) {
        return switch (units) {
            case "hours", "minutes", "seconds", "milliseconds", "microseconds" -> true;
            default -> false;
        };
    }

    private Expr aggregate(Expression.FunctionCall call, String name) {
        if (!rules.aggregates()) {
            throw Errors.analysis(
                    "aggregate function " + name + " is not allowed in " + rules.clause(), call.position());
        }
        ExprBinder inner = binder.insideAggregate();
        List<Expr> arguments = new ArrayList<>();
        for (Expression argument : call.arguments()) {
            if (argument instanceof Expression.Star) {
                if (!name.equals("count")) {
                    throw Errors.analysis("* is an argument of count only", argument.position());
                }
                continue;
            }
            arguments.add(inner.bind(argument));
        }
        List<SortKey> order = new ArrayList<>();
        call.orderBy()
                .forEach(item -> order.add(new SortKey(
                        inner.bind(item.expression()),
                        item.ascending(),
                        item.nullsFirst() == null ? item.ascending() : item.nullsFirst())));
        boolean distinct = call.distinct() && !ignoresDuplicates(name);
        if (name.equals("group_concat") && (!order.isEmpty() || distinct && arguments.size() > 1)) {
            return orderedConcat(arguments, distinct, order, call);
        }
        if (!order.isEmpty()) {
            throw Errors.notSupported("ORDER BY in " + name, call.position());
        }
        if (name.equals("count") && distinct && arguments.size() > 1) {
            return new AggregateCall(
                    "count",
                    arguments,
                    true,
                    order,
                    DataType.BIGINT,
                    DataType.BIGINT,
                    org.thetis.sql.expr.NullMode.NEVER);
        }
        if (name.equals("count")
                && arguments.size() == 1
                && arguments.get(0) instanceof Literal literal
                && !literal.isNull()) {
            arguments.clear();
        }
        return functions().aggregate(name, arguments, distinct, order);
    }

    /** GROUP_CONCAT whose state keeps the sort keys: its first argument says how to sort, the keys follow the separator. */
    private Expr orderedConcat(
            List<Expr> arguments, boolean distinct, List<SortKey> order, Expression.FunctionCall call) {
        if (arguments.isEmpty() || arguments.size() > 2) {
            throw Errors.analysis("group_concat takes a text and a separator", call.position());
        }
        StringBuilder how = new StringBuilder(distinct ? "D" : "");
        List<Expr> all = new ArrayList<>();
        all.add(arguments.get(0));
        all.add(arguments.size() > 1 ? arguments.get(1) : Literal.string(CONCAT_SEPARATOR));
        for (SortKey key : order) {
            if (!(key.expression() instanceof Literal)) {
                how.append(key.ascending() ? '+' : '-').append(key.nullsFirst() ? 'F' : 'L');
                all.add(key.expression());
            }
        }
        all.add(0, Literal.string(how.toString()));
        return functions().aggregate("ordered_group_concat", all, false, List.of());
    }

    private static boolean ignoresDuplicates(String name) {
        return switch (name) {
            case "min",
                    "max",
                    "any_value",
                    "any",
                    "bitmap_union",
                    "hll_union",
                    "approx_count_distinct",
                    "ndv",
                    "group_bit_and",
                    "group_bit_or" -> true;
            default -> false;
        };
    }

    private Expr window(Expression.FunctionCall call, String name) {
        if (!rules.windows()) {
            throw Errors.analysis("window function " + name + " is not allowed in " + rules.clause(), call.position());
        }
        return new WindowBinder(context, binder).bind(call, name);
    }
}
