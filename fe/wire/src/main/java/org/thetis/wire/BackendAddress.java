// SPDX-License-Identifier: Apache-2.0
package org.thetis.wire;

/** Where a back end's gRPC data plane listens. The id names the back end in messages and in the pool. */
public record BackendAddress(long id, String host, int grpcPort) {
    @Override
    public String toString() {
        return "backend " + id + " (" + host + ":" + grpcPort + ")";
    }
}
