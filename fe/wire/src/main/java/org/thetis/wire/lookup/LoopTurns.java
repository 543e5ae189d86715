// SPDX-License-Identifier: Apache-2.0
package org.thetis.wire.lookup;

import io.netty.channel.EventLoop;
import io.netty.channel.SingleThreadEventLoop;

/** Work at the end of an event loop's turn: after everything that was ready in it was read. */
final class LoopTurns {
    private LoopTurns() {}

    /** Called on the loop. */
    static void afterThisTurn(EventLoop loop, Runnable task) {
        if (loop instanceof SingleThreadEventLoop turns) {
            turns.executeAfterEventLoopIteration(task);
        } else {
            loop.execute(task);
        }
    }
}
