// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.schedule;

import com.google.protobuf.ByteString;
import org.thetis.base.error.ThetisException;

/** Takes the rows of a {@link RowStream}. Calls are serial, may come on transport threads, and must not block. */
public interface RowConsumer {
    /** Whole packets, each with sequence byte zero. */
    void onRows(ByteString packets, long numRows);

    /** The stream is complete; no further call follows. */
    void onEnd();

    /** The stream broke; no further call follows. */
    void onFailure(ThetisException failure);
}
