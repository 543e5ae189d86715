// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.object;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.schema.IndexMeta;

/**
 * A change of a table's columns, as SHOW ALTER TABLE COLUMN lists it. A light change is finished when it is journalled; a heavy one
 * goes through every state.
 *
 * @param indexId the index with the new columns
 * @param watershed transactions with smaller ids may have been planned without the shadow; -1 when there is none
 * @param shadow the index that takes the base index's place; null for a light change
 * @param versions per partition the version up to which history is converted; empty before RUNNING
 * @param finishMillis -1 while the job is under way
 * @param message why it was cancelled
 */
public record AlterJob(
        long id,
        long databaseId,
        long tableId,
        String tableName,
        long indexId,
        long originIndexId,
        int schemaVersion,
        long watershed,
        State state,
        long createMillis,
        long finishMillis,
        long timeoutMillis,
        String message,
        @Nullable IndexMeta shadow,
        Map<Long, Long> versions) {
    /** Where a job stands. */
    public enum State {
        /** Shadow tablets are being made. */
        PENDING,
        /** Loads write both; older ones are waited for. */
        WAITING_TXN,
        /** History is being converted; every commit must have written both. */
        RUNNING,
        FINISHED,
        CANCELLED;

        public boolean isFinal() {
            return this == FINISHED || this == CANCELLED;
        }
    }

    public AlterJob {
        versions = versions == null ? Map.of() : Map.copyOf(versions);
    }

    /** For errors of what has to wait for the job: where it stands, and what a user can do. */
    public String advice() {
        return "schema change job " + id + " is " + state + "; SHOW ALTER TABLE COLUMN shows when it is FINISHED, "
                + "CANCEL ALTER TABLE COLUMN FROM " + tableName + " ends it now";
    }

    /** The job in another state on the way. */
    public AlterJob inState(State next, long newWatershed, Map<Long, Long> newVersions) {
        return new AlterJob(
                id,
                databaseId,
                tableId,
                tableName,
                indexId,
                originIndexId,
                schemaVersion,
                newWatershed,
                next,
                createMillis,
                -1,
                timeoutMillis,
                message,
                shadow,
                newVersions);
    }

    /** The job at its end. The shadow is kept for its name only: the table has it, or nobody. */
    public AlterJob ended(State last, long millis, String reason) {
        return new AlterJob(
                id,
                databaseId,
                tableId,
                tableName,
                indexId,
                originIndexId,
                schemaVersion,
                watershed,
                last,
                createMillis,
                millis,
                timeoutMillis,
                reason,
                null,
                Map.of());
    }
}
