// SPDX-License-Identifier: Apache-2.0
package org.thetis.wire;

import io.grpc.ManagedChannel;

/** Opens channels to back ends; tests supply one over in-process transport. */
public interface ChannelFactory extends AutoCloseable {
    ManagedChannel open(BackendAddress address);

    @Override
    default void close() {}
}
