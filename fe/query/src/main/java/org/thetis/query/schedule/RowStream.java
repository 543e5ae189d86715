// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.schedule;

import org.thetis.base.error.ThetisException;

/** Rows as framed MySQL packets (sequence bytes zero), delivered chunk by chunk as the consumer asks. Opened once. */
public interface RowStream {
    /** Names the consumer; nothing arrives before the first {@link #request}. */
    void open(RowConsumer consumer);

    /** Asks for one more chunk. May be called from within the consumer. Thread-safe. */
    void request();

    /** Ends the stream early; the consumer hears of it as a failure unless it ended before. Thread-safe. */
    void cancel(ThetisException reason);
}
