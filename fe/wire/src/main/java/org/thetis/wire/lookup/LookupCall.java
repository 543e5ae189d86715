// SPDX-License-Identifier: Apache-2.0
package org.thetis.wire.lookup;

import io.netty.buffer.ByteBuf;
import org.thetis.base.error.ThetisException;

/** One call and what becomes of it: exactly one of the two methods runs, once, on the event loop that sent it, and must not block. */
public abstract class LookupCall {
    private final LookupBody body;
    private long correlationId;
    private long deadlineNanos;
    private int frameBytes;
    private boolean planSent;

    protected LookupCall(LookupBody body) {
        this.body = body;
    }

    /**
     * The back end answered, perhaps with an error code.
     *
     * @param head valid until this returns
     * @param rows MySQL packets with sequence number 0; a view that is valid until this returns, retain a slice to keep them
     */
    protected abstract void onReply(LookupReplyHead head, ByteBuf rows);

    /**
     * No answer: RPC_ERROR when the connection failed or has too many calls in flight, TIMEOUT when the deadline passed.
     *
     * @param unreachable whether the back end seems to be gone: its connection broke or could not be opened
     */
    protected abstract void onFailure(ThetisException failure, boolean unreachable);

    final LookupBody body() {
        return body;
    }

    final long correlationId() {
        return correlationId;
    }

    final long deadlineNanos() {
        return deadlineNanos;
    }

    final int frameBytes() {
        return frameBytes;
    }

    final boolean planSent() {
        return planSent;
    }

    final void sent(long id, long deadline, int bytes, boolean withPlan) {
        correlationId = id;
        deadlineNanos = deadline;
        frameBytes = bytes;
        planSent = withPlan;
    }
}
