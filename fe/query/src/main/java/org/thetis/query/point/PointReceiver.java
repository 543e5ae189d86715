// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.point;

import io.netty.buffer.ByteBuf;
import org.thetis.base.error.ThetisException;

/** Where the result of a look-up goes. Called on the event loop that started it; after `onEnd` or `onFailure` nothing follows. */
public interface PointReceiver {
    /**
     * Rows of one back end: MySQL packets with sequence number 0.
     *
     * @param packets a view that is valid until this returns
     */
    void onRows(ByteBuf packets, int numRows);

    void onEnd();

    /** No result, after all retries; rows that came before do not count. */
    void onFailure(ThetisException failure);
}
