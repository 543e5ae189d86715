// SPDX-License-Identifier: Apache-2.0
package org.thetis.wire;

import io.grpc.Status;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.wire.proto.StatusReply;

/** Translates transport failures and back-end statuses into {@link ThetisException}. */
public final class RpcFailures {
    private RpcFailures() {}

    /** The error a back end reported; numbers of a newer back end become INTERNAL. */
    public static ThetisException of(StatusReply reply) {
        return of(reply.getCode(), reply.getMessage());
    }

    public static ThetisException of(int code, String message) {
        ErrorCode known = ErrorCode.of(code).orElse(ErrorCode.INTERNAL);
        return new ThetisException(known, message.isEmpty() ? known.name() : message);
    }

    /** A failed call: a deadline is a TIMEOUT, a cancelled call is CANCELLED, everything else is an RPC_ERROR. */
    public static ThetisException translate(String what, Throwable failure) {
        if (failure instanceof ThetisException known) {
            return known;
        }
        Status status = Status.fromThrowable(failure);
        ErrorCode code =
                switch (status.getCode()) {
                    case DEADLINE_EXCEEDED -> ErrorCode.TIMEOUT;
                    case CANCELLED -> ErrorCode.CANCELLED;
                    default -> ErrorCode.RPC_ERROR;
                };
        String detail = status.getDescription() == null ? "" : ": " + status.getDescription();
        return new ThetisException(code, what + " failed, " + status.getCode() + detail);
    }
}
