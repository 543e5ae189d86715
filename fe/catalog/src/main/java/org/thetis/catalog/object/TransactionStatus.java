// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.object;

/** PREPARE, then perhaps PRECOMMITTED, then COMMITTED, then VISIBLE; ABORTED from the first two. */
public enum TransactionStatus {
    PREPARE,
    PRECOMMITTED,
    COMMITTED,
    VISIBLE,
    ABORTED;

    /** Nothing will change any more. */
    public boolean isFinal() {
        return this == VISIBLE || this == ABORTED;
    }
}
