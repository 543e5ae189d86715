// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement;

import com.google.common.collect.ImmutableMap;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.base.metrics.MetricRegistry;
import org.thetis.base.thread.Clock;
import org.thetis.query.result.StatementResult;
import org.thetis.query.schedule.QueryCounters;
import org.thetis.query.session.Cancellation;
import org.thetis.query.session.QueryId;
import org.thetis.query.session.Session;
import org.thetis.query.session.SessionVariables;
import org.thetis.query.session.SqlWarning;
import org.thetis.query.session.StatementContext;
import org.thetis.sql.ast.Statement;
import org.thetis.sql.ast.UnsupportedStatement;
import org.thetis.sql.ast.dml.BeginTransaction;
import org.thetis.sql.ast.dml.Commit;
import org.thetis.sql.ast.dml.Delete;
import org.thetis.sql.ast.dml.Insert;
import org.thetis.sql.ast.dml.Rollback;
import org.thetis.sql.ast.dml.Update;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.parser.ParsedStatement;
import org.thetis.sql.parser.SqlParser;

/**
 * Runs statements of sessions: finds the handler, gives the statement its id, its deadline and its cancellation, and writes the
 * audit line when it is over, also for results that still stream after {@link #run} returned. Thread-safe.
 */
public final class StatementRunner {
    private static final Logger LOG = LoggerFactory.getLogger(StatementRunner.class);

    private final ParsedQueries parsed;
    private final ImmutableMap<Class<?>, StatementHandler<?>> handlers;
    private final AuditSink audit;
    private final ScheduledExecutorService timers;
    private final Clock clock;

    public StatementRunner(
            SqlParser parser,
            List<StatementHandler<?>> handlers,
            AuditSink audit,
            ScheduledExecutorService timers,
            Clock clock,
            MetricRegistry metrics) {
        this.parsed = new ParsedQueries(parser, metrics);
        Map<Class<?>, StatementHandler<?>> byType =
                handlers.stream().collect(Collectors.toMap(StatementHandler::statementType, Function.identity()));
        this.handlers = ImmutableMap.copyOf(byType);
        this.audit = audit;
        this.timers = timers;
        this.clock = clock;
    }

    /** Splits and parses a text under the session's sql_mode. */
    public List<ParsedStatement> parse(String sql, Session session) {
        try {
            return parsed.parse(sql, session.variables().frequent().parserOptions());
        } catch (ThetisException failure) {
            session.clearWarnings();
            session.addWarning(SqlWarning.error(failure));
            throw failure;
        }
    }

    /**
     * Runs one statement on the calling thread up to the point where its result is known; rows then come without a thread. A
     * returned stream must be opened or cancelled.
     */
    public StatementResult run(Session session, ParsedStatement parsed, List<Literal> parameters, boolean binaryRows) {
        Statement statement = parsed.statement();
        SessionVariables variables = session.variables();
        StatementContext context = new StatementContext(
                session,
                QueryId.random(),
                parsed.text(),
                Instant.ofEpochMilli(clock.millis()),
                variables,
                parameters,
                binaryRows,
                new Cancellation());
        session.begin(context, binaryRows ? "Execute" : "Query");
        QueryCounters counters = new QueryCounters();
        StatementEnd end = new StatementEnd(context, counters, audit, clock, parsed.statement());
        try {
            Map<String, String> hints = SetVarHints.of(statement);
            StatementContext effective = hints.isEmpty() ? context : context.withVariables(variables.with(hints));
            end.watch(deadline(effective, statement));
            if (StatementEnd.resetsWarnings(statement)) {
                session.clearWarnings();
            }
            SetVarHints.unused(statement)
                    .forEach(hint -> session.addWarning(SqlWarning.of("hint has no effect: " + hint)));
            StatementResult result = dispatch(statement, effective, counters);
            if (result instanceof StatementResult.Streamed streamed) {
                return new StatementResult.Streamed(streamed.columns(), new WatchedRows(streamed.stream(), end));
            }
            end.succeeded();
            return result;
        } catch (ThetisException failure) {
            ThetisException reported = context.cancellation().reason().orElse(failure);
            end.failed(reported);
            throw reported;
        } catch (RuntimeException bug) {
            LOG.error("statement failed unexpectedly query_id={} sql={}", context.queryId(), parsed.text(), bug);
            ThetisException failure = new ThetisException(
                    ErrorCode.INTERNAL, "internal error in query " + context.queryId() + ": " + bug.getMessage(), bug);
            end.failed(failure);
            throw failure;
        } catch (StackOverflowError tooDeep) {
            ThetisException failure =
                    new ThetisException(ErrorCode.ANALYSIS, "statement is nested too deeply to be planned", tooDeep);
            end.failed(failure);
            throw failure;
        }
    }

    private <S extends Statement> StatementResult dispatch(
            S statement, StatementContext context, QueryCounters counters) {
        if (statement instanceof UnsupportedStatement unsupported) {
            throw ThetisException.notSupported(unsupported.name());
        }
        if (context.session().openTransaction().isPresent()) {
            requireTransactional(statement);
        }
        StatementHandler<S> handler = handlerOf(statement);
        return handler instanceof CountingHandler<S> counting
                ? counting.run(statement, context, counters)
                : handler.run(statement, context);
    }

    /** Inside a transaction rows are not visible yet, so that only statements that do not ask for any make sense. */
    private static void requireTransactional(Statement statement) {
        if (statement instanceof Update || statement instanceof Delete) {
            throw ThetisException.notSupported(StatementNames.of(statement) + " between BEGIN and COMMIT");
        }
        String area = statement.getClass().getPackageName();
        boolean accepted = statement instanceof Insert
                || statement instanceof BeginTransaction
                || statement instanceof Commit
                || statement instanceof Rollback
                || area.endsWith(".session")
                || area.endsWith(".show");
        if (!accepted) {
            throw new ThetisException(
                    ErrorCode.TRANSACTION_STATE,
                    "This is in a transaction, only insert, update, delete, commit, rollback is acceptable.");
        }
    }

    @SuppressWarnings("unchecked") // The map is keyed by the type each handler names.
    private <S extends Statement> StatementHandler<S> handlerOf(S statement) {
        StatementHandler<?> handler = handlers.get(statement.getClass());
        if (handler == null) {
            throw ThetisException.notSupported(StatementNames.of(statement));
        }
        return (StatementHandler<S>) handler;
    }

    private Future<?> deadline(StatementContext context, Statement statement) {
        int seconds = statement instanceof Insert || statement instanceof Update || statement instanceof Delete
                ? Math.max(
                        context.settings().insertTimeout(), context.settings().queryTimeout())
                : context.settings().queryTimeout();
        return timers.schedule(
                () -> context.cancellation()
                        .cancel(new ThetisException(
                                ErrorCode.QUERY_TIMEOUT,
                                "query is timeout, killed by timeout checker: query " + context.queryId()
                                        + " ran longer than " + seconds + " s")),
                Math.max(1, seconds),
                TimeUnit.SECONDS);
    }
}
