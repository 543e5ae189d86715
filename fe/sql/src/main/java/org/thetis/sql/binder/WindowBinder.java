// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.binder;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.Expression;
import org.thetis.sql.ast.FrameBound;
import org.thetis.sql.ast.WindowSpecification;
import org.thetis.sql.expr.AggregateCall;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.ScalarCall;
import org.thetis.sql.expr.SortKey;
import org.thetis.sql.expr.WindowCall;
import org.thetis.sql.expr.WindowFrame;

/** Binds calls with OVER and checks which frames each function takes. */
final class WindowBinder {
    /** Functions of the SQL surface; those without a kernel are refused by name. */
    private static final Set<String> KNOWN = Set.of(
            "row_number",
            "rank",
            "dense_rank",
            "percent_rank",
            "cume_dist",
            "ntile",
            "lead",
            "lag",
            "first_value",
            "last_value",
            "nth_value");

    private final BindContext context;
    private final ExprBinder binder;

    WindowBinder(BindContext context, ExprBinder binder) {
        this.context = context;
        this.binder = binder;
    }

    Expr bind(Expression.FunctionCall call, String name) {
        WindowSpecification over = call.window();
        if (over == null) {
            throw Errors.analysis("OVER is missing", call.position());
        }
        if (call.distinct()) {
            throw Errors.notSupported("DISTINCT in a window function", call.position());
        }
        if (!call.orderBy().isEmpty()) {
            throw Errors.notSupported("ORDER BY among the arguments of a window function", call.position());
        }
        List<Expr> partition = new ArrayList<>();
        for (Expr key : binder.bindAll(over.partitionBy())) {
            if (!(key instanceof Literal)) {
                partition.add(key);
            }
        }
        List<SortKey> order = new ArrayList<>();
        over.orderBy()
                .forEach(item -> order.add(new SortKey(
                        binder.bind(item.expression()),
                        item.ascending(),
                        item.nullsFirst() == null ? item.ascending() : item.nullsFirst())));
        WindowFrame frame = over.frame() == null ? null : frame(over.frame(), !order.isEmpty(), call);
        List<Expr> arguments = new ArrayList<>();
        for (Expression argument : call.arguments()) {
            if (!(argument instanceof Expression.Star)) {
                arguments.add(binder.bind(argument));
            }
        }
        Optional<ScalarCall> ranking = context.functions().window(name, arguments);
        if (ranking.isPresent()) {
            checkRanking(name, order, frame, call);
            ScalarCall function = ranking.get();
            WindowFrame implied = defaultFrame(name, !order.isEmpty(), frame);
            return new WindowCall(
                    function.name(),
                    function.children(),
                    partition,
                    order,
                    implied,
                    function.type(),
                    function.nullable());
        }
        if (!context.functions().isAggregate(name)) {
            if (KNOWN.contains(name)) {
                throw Errors.notSupported("window function " + name, call.position());
            }
            throw context.functions().unknown(name);
        }
        AggregateCall function = context.functions().aggregate(name, arguments, false, List.of());
        return new WindowCall(
                function.name(), function.arguments(), partition, order, frame, function.type(), function.nullable());
    }

    private static @Nullable WindowFrame defaultFrame(String name, boolean ordered, @Nullable WindowFrame frame) {
        return frame == null && ordered && name.equals("first_value") ? new WindowFrame(true, null, 0L) : frame;
    }

    private static void checkRanking(
            String name, List<SortKey> order, @Nullable WindowFrame frame, Expression.FunctionCall call) {
        boolean needsOrder = name.equals("lead")
                || name.equals("lag")
                || name.equals("ntile")
                || name.equals("rank")
                || name.equals("dense_rank")
                || name.equals("percent_rank")
                || name.equals("cume_dist");
        if (needsOrder && order.isEmpty()) {
            throw Errors.analysis("order_by_element is required for window function " + name, call.position());
        }
        if (frame != null && !name.equals("first_value") && !name.equals("last_value") && !name.equals("nth_value")) {
            boolean isDefault = frame.start() == null && Long.valueOf(0).equals(frame.end());
            if (!isDefault || name.equals("lead") || name.equals("lag")) {
                throw Errors.analysis("Windowing clause not allowed with function " + name, call.position());
            }
        }
    }

    private WindowFrame frame(org.thetis.sql.ast.WindowFrame frame, boolean ordered, Expression.FunctionCall call) {
        if (!ordered) {
            throw Errors.analysis("WindowFrame clause requires OrderBy clause", call.position());
        }
        if (frame.start() instanceof FrameBound.UnboundedFollowing
                || frame.end() instanceof FrameBound.UnboundedPreceding) {
            throw Errors.analysis(
                    "a window frame cannot start at UNBOUNDED FOLLOWING or end at UNBOUNDED PRECEDING",
                    call.position());
        }
        Long start = bound(frame.start(), call);
        Long end = bound(frame.end(), call);
        boolean offset = start != null && start != 0 || end != null && end != 0;
        if (!frame.rows() && offset) {
            throw Errors.analysis("RANGE frames take UNBOUNDED and CURRENT ROW only", call.position());
        }
        if (start != null && end != null && start > end) {
            throw Errors.analysis("the window frame starts after its end", call.position());
        }
        return new WindowFrame(frame.rows(), start, end);
    }

    private @Nullable Long bound(FrameBound bound, Expression.FunctionCall call) {
        if (bound instanceof FrameBound.CurrentRow) {
            return 0L;
        }
        if (bound instanceof FrameBound.Preceding preceding) {
            return -distance(preceding.distance(), call);
        }
        if (bound instanceof FrameBound.Following following) {
            return distance(following.distance(), call);
        }
        return null;
    }

    private long distance(Expression expression, Expression.FunctionCall call) {
        if (binder.bind(expression) instanceof Literal literal
                && literal.type().isInteger()
                && literal.longValue() >= 0) {
            return literal.longValue();
        }
        throw Errors.analysis("a frame offset must be a constant integer >= 0", call.position());
    }
}
