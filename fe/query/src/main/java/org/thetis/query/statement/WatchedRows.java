// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement;

import com.google.protobuf.ByteString;
import org.thetis.base.error.ThetisException;
import org.thetis.query.schedule.RowConsumer;
import org.thetis.query.schedule.RowStream;

/** Passes rows on and tells when the statement that gives them is over. */
final class WatchedRows implements RowStream {
    private final RowStream stream;
    private final StatementEnd end;

    WatchedRows(RowStream stream, StatementEnd end) {
        this.stream = stream;
        this.end = end;
    }

    @Override
    public void open(RowConsumer consumer) {
        stream.open(new RowConsumer() {
            @Override
            public void onRows(ByteString packets, long numRows) {
                consumer.onRows(packets, numRows);
            }

            @Override
            public void onEnd() {
                end.succeeded();
                consumer.onEnd();
            }

            @Override
            public void onFailure(ThetisException failure) {
                // A transport that was torn down by a cancellation reports its own words; the reason is what the client
                // needs.
                ThetisException reported = end.context().cancellation().reason().orElse(failure);
                end.failed(reported);
                consumer.onFailure(reported);
            }
        });
    }

    @Override
    public void request() {
        stream.request();
    }

    @Override
    public void cancel(ThetisException reason) {
        stream.cancel(reason);
        // A stream that was never opened has nobody to report to.
        end.failed(reason);
    }
}
