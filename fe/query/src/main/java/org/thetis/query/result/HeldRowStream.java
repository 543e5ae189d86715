// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.result;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.protobuf.ByteString;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ThetisException;
import org.thetis.query.schedule.RowConsumer;
import org.thetis.query.schedule.RowStream;

/** Streams rows the front end holds in the form back ends would send them. */
public final class HeldRowStream implements RowStream {
    private static final int CHUNK_BYTES = 256 << 10;

    private final RowEncoder encoder;
    private final List<List<@Nullable String>> rows;
    private final Object lock = new Object();

    /** Guards who emits; the consumer itself is called outside of it. */
    @GuardedBy("lock")
    private int requested;

    @GuardedBy("lock")
    private boolean emitting;

    @GuardedBy("lock")
    private @Nullable ThetisException cancelled;

    private @Nullable RowConsumer consumer;
    private int next;
    private boolean ended;

    public HeldRowStream(StatementResult.Held held, boolean binaryRows) {
        this.encoder = new RowEncoder(held.columns(), binaryRows);
        this.rows = held.rows();
    }

    @Override
    public void open(RowConsumer rowConsumer) {
        consumer = rowConsumer;
    }

    @Override
    public void request() {
        synchronized (lock) {
            requested++;
            if (emitting) {
                return;
            }
            emitting = true;
        }
        // Requests made by the consumer while it is called are served by this loop, not by recursion.
        while (true) {
            ThetisException reason;
            synchronized (lock) {
                if (requested == 0 || ended) {
                    emitting = false;
                    return;
                }
                requested--;
                reason = cancelled;
            }
            emit(reason);
        }
    }

    @Override
    public void cancel(ThetisException reason) {
        synchronized (lock) {
            cancelled = reason;
        }
        request();
    }

    private void emit(@Nullable ThetisException reason) {
        RowConsumer target = Objects.requireNonNull(consumer, "opened before requested");
        if (reason != null) {
            ended = true;
            target.onFailure(reason);
            return;
        }
        if (next == rows.size()) {
            ended = true;
            target.onEnd();
            return;
        }
        int first = next;
        ByteString.Output chunk = ByteString.newOutput();
        while (next < rows.size() && chunk.size() < CHUNK_BYTES) {
            PacketFraming.append(chunk, encoder.encode(rows.get(next)));
            next++;
        }
        target.onRows(chunk.toByteString(), next - first);
    }
}
