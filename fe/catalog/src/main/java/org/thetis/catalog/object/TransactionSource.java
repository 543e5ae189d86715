// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.object;

/** What kind of load a transaction belongs to, as SHOW TRANSACTION names it. */
public enum TransactionSource {
    /** INSERT. */
    INSERT_STREAMING,
    /** Stream load. */
    BACKEND_STREAMING,
    ROUTINE_LOAD_TASK,
    BATCH_LOAD_JOB,
    FRONTEND;

    /** Labels of these are forgotten sooner, as there are many. */
    public boolean isStreaming() {
        return this == INSERT_STREAMING || this == BACKEND_STREAMING || this == ROUTINE_LOAD_TASK;
    }
}
