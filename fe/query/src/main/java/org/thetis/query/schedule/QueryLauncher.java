// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.schedule;

import java.util.List;
import java.util.function.Supplier;
import org.thetis.base.error.ThetisException;
import org.thetis.query.session.QueryId;
import org.thetis.query.session.SessionSettings;
import org.thetis.query.session.StatementContext;
import org.thetis.sql.lower.BackendPlan;
import org.thetis.sql.lower.LoadTransaction;
import org.thetis.sql.lower.PlannedQuery;
import org.thetis.wire.thrift.QueryOptions;

/** Starts plans on back ends. Thread-safe. */
public final class QueryLauncher {
    private final QueryServices services;

    public QueryLauncher(QueryServices services) {
        this.services = services;
    }

    /**
     * Starts a query and returns its rows. `plans` is asked again for every attempt, so that each sees which back ends are well.
     * The first plan is given as it was needed for the column names.
     */
    public RowStream query(
            StatementContext statement, PlannedQuery first, Supplier<PlannedQuery> plans, QueryCounters counters) {
        int retries = Math.max(0, services.settings().maxQueryRetryTime());
        PlannedQuery plan = first;
        QueryId queryId = statement.queryId();
        for (int attempt = 0; ; attempt++) {
            statement.cancellation().check();
            try {
                QueryExecution started = startQuery(queryId, plan, statement, counters);
                return new RetryingRows(
                        started,
                        () -> startQuery(QueryId.random(), plans.get(), statement, counters),
                        retries - attempt,
                        services.executor());
            } catch (ThetisException failure) {
                if (attempt >= retries || !RetryingRows.isPassing(failure)) {
                    throw failure;
                }
                plan = plans.get();
                queryId = QueryId.random();
            }
        }
    }

    /** Starts the fragments of a load; its counters are complete when the execution ends. Never repeated. */
    public QueryExecution load(
            StatementContext statement, PlannedQuery plan, LoadTransaction transaction, QueryCounters counters) {
        statement.cancellation().check();
        return start(statement.queryId(), plan.backendPlans(transaction), statement, transaction.timeoutMs(), counters);
    }

    private QueryExecution startQuery(
            QueryId id, PlannedQuery plan, StatementContext statement, QueryCounters counters) {
        long timeoutMs = statement.settings().queryTimeout() * 1000L;
        return start(id, plan.backendPlans(statement.binaryRows()), statement, timeoutMs, counters);
    }

    private QueryExecution start(
            QueryId id, List<BackendPlan> plans, StatementContext statement, long timeoutMs, QueryCounters counters) {
        QueryExecution execution = new QueryExecution(id, plans, options(statement, timeoutMs), services, counters);
        execution.start();
        return execution;
    }

    /** The options every back end gets with its part of the plan. */
    public static QueryOptions options(StatementContext statement, long timeoutMs) {
        SessionSettings settings = statement.settings();
        QueryOptions options = new QueryOptions(
                settings.batchSize(),
                settings.parallelPipelineTaskNum(),
                settings.execMemLimit(),
                timeoutMs,
                settings.timeZone(),
                statement.startMicros());
        options.setVariables(statement.variables().forBackends());
        options.setCheck_overflow_for_decimal(settings.checkOverflowForDecimal());
        options.setEnable_profile(settings.enableProfile());
        return options;
    }
}
