// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.txn;

import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.Transaction;
import org.thetis.catalog.object.TransactionStatus;

/** The label belongs to an earlier load that was not aborted; clients match the text. */
public final class LabelExistsException extends ThetisException {
    private static final long serialVersionUID = 1L;

    private final long transactionId;
    private final TransactionStatus status;

    public LabelExistsException(Transaction transaction) {
        super(
                ErrorCode.LABEL_ALREADY_EXISTS,
                "Label [" + transaction.label() + "] has already been used, relate to txn [" + transaction.id()
                        + "], status [" + transaction.status() + "].");
        this.transactionId = transaction.id();
        this.status = transaction.status();
    }

    public long transactionId() {
        return transactionId;
    }

    /** `RUNNING`, `PRECOMMITTED` or `FINISHED`, as load replies call it. */
    public String jobStatus() {
        return switch (status) {
            case PREPARE -> "RUNNING";
            case PRECOMMITTED -> "PRECOMMITTED";
            default -> "FINISHED";
        };
    }
}
