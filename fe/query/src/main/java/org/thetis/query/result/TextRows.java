// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.result;

import com.google.protobuf.ByteString;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.query.schedule.RowConsumer;
import org.thetis.query.schedule.RowStream;

/** Reads text rows back into values, for the front end's own queries and for HTTP replies. */
public final class TextRows {
    private TextRows() {}

    /** Reads a stream to its end, at most `limit` rows. Blocks the caller up to the deadline; not for event loops. */
    public static List<List<@Nullable String>> readAll(RowStream stream, int numColumns, int limit, Duration deadline) {
        Collector collector = new Collector(stream, numColumns, limit);
        stream.open(collector);
        stream.request();
        try {
            return collector.done.get(deadline.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            ThetisException reason = new ThetisException(ErrorCode.TIMEOUT, "result was not complete in time", late);
            stream.cancel(reason);
            throw reason;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            ThetisException reason =
                    new ThetisException(ErrorCode.CANCELLED, "interrupted while reading a result", interrupted);
            stream.cancel(reason);
            throw reason;
        } catch (ExecutionException failure) {
            throw failure.getCause() instanceof ThetisException known
                    ? known
                    : new ThetisException(ErrorCode.INTERNAL, "cannot read a result", failure.getCause());
        }
    }

    /** Splits one text row payload into values. */
    public static List<@Nullable String> decode(byte[] payload, int numColumns) {
        List<@Nullable String> values = new ArrayList<>(numColumns);
        int at = 0;
        for (int i = 0; i < numColumns; i++) {
            int first = payload[at++] & 0xFF;
            if (first == 0xFB) {
                values.add(null);
                continue;
            }
            int extra = first == 0xFC ? 2 : first == 0xFD ? 3 : first == 0xFE ? 8 : 0;
            long length = extra == 0 ? first : 0;
            for (int b = 0; b < extra; b++) {
                length |= (payload[at++] & 0xFFL) << (8 * b);
            }
            values.add(new String(payload, at, (int) length, StandardCharsets.UTF_8));
            at += (int) length;
        }
        return values;
    }

    private static final class Collector implements RowConsumer {
        final CompletableFuture<List<List<@Nullable String>>> done = new CompletableFuture<>();
        private final RowStream stream;
        private final int numColumns;
        private final int limit;
        private final List<List<@Nullable String>> rows = new ArrayList<>();

        Collector(RowStream stream, int numColumns, int limit) {
            this.stream = stream;
            this.numColumns = numColumns;
            this.limit = limit;
        }

        @Override
        public void onRows(ByteString packets, long numRows) {
            for (byte[] payload : PacketFraming.payloads(packets)) {
                if (rows.size() < limit) {
                    rows.add(decode(payload, numColumns));
                }
            }
            if (rows.size() >= limit) {
                done.complete(rows);
                stream.cancel(new ThetisException(ErrorCode.CANCELLED, "enough rows were read"));
            } else {
                stream.request();
            }
        }

        @Override
        public void onEnd() {
            done.complete(rows);
        }

        @Override
        public void onFailure(ThetisException failure) {
            done.completeExceptionally(failure);
        }
    }
}
