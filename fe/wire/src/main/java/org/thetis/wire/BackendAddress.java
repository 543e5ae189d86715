// SPDX-License-Identifier: Apache-2.0
package org.thetis.wire;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Where a back end's gRPC data plane listens. The id names the back end in messages and in the pool. */
public record BackendAddress(long id, String host, int grpcPort) {
    /** Each look-up asks, mostly with the same object. */
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || other instanceof BackendAddress address
                        && id == address.id
                        && grpcPort == address.grpcPort
                        && host.equals(address.host);
    }

    @Override
    public int hashCode() {
        return Objects.hash(id, host, grpcPort);
    }

    @Override
    public String toString() {
        return "backend " + id + " (" + host + ":" + grpcPort + ")";
    }
}
