// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.lower;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.thetis.sql.expr.Literal;

/**
 * A statement ready to run, as {@code Planner.plan(statement, plannerContext)} returns it (a Planner is built once from
 * {@code FunctionCatalog.load()} and is safe to share). Check access to {@link #tables()} first. Immutable.
 */
public interface PlannedQuery {
    /** Columns of the result; empty for INSERT. */
    List<OutputColumn> outputs();

    /** Tables and views that the statement names. */
    List<TableAccess> tables();

    /** The whole result, when it could be computed without a back end (SELECT 1, a front-end-held table). */
    Optional<List<List<Literal>>> constantRows();

    /** How long the statement pauses before it runs, because it calls sleep(). */
    default Duration pause() {
        return Duration.ZERO;
    }

    /** The target of an INSERT, or of an UPDATE or DELETE that writes rows. */
    Optional<InsertTarget> insertTarget();

    /** What storage does of a DELETE from a model without delete signs; such a plan has no fragments. */
    default Optional<StoragePredicate> storagePredicate() {
        return Optional.empty();
    }

    /** What each back end runs for a query. The result sink is on {@link #rootBackendId()} and encodes text or binary rows. */
    List<BackendPlan> backendPlans(boolean binaryRows);

    /** What each back end runs for an INSERT under the transaction; the sinks' commit lists come from every back end of the root fragment. */
    List<BackendPlan> backendPlans(LoadTransaction transaction);

    /** The back end that runs the root fragment. */
    long rootBackendId();

    /** The fragment with the result or table sink. */
    int rootFragmentId();

    /** Lines of EXPLAIN; the caller heads them "Explain String(Nereids Planner)". */
    List<String> explain(ExplainMode mode);
}
