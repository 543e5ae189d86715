// SPDX-License-Identifier: Apache-2.0
package org.thetis.wire;

/** The consumer's handle on a result stream: asks for more, or gives up. Thread-safe. */
public interface ResultSubscription {
    /** Allows the back end to send so many further chunks. */
    void request(int chunks);

    /** Ends the stream; the listener hears of it as a failure. */
    void cancel(String reason);
}
