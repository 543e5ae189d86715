// SPDX-License-Identifier: Apache-2.0
package org.thetis.wire;

import io.grpc.ManagedChannel;
import java.util.concurrent.ConcurrentHashMap;

/** The pool of back-end clients, one per back end. Thread-safe; owned by the process and closed by it. */
public final class BackendClients implements AutoCloseable {
    private final ChannelFactory channels;
    private final ConcurrentHashMap<Long, BackendClient> clients = new ConcurrentHashMap<>();

    public BackendClients(ChannelFactory channels) {
        this.channels = channels;
    }

    /** A pool over plain TCP. */
    public static BackendClients overNetwork() {
        return new BackendClients(new NettyChannels());
    }

    /** Finds or opens the client of a back end; one that moved to another address gets a new client. */
    public BackendClient get(BackendAddress address) {
        BackendClient known = clients.get(address.id());
        if (known != null && known.address().equals(address)) {
            return known;
        }
        return clients.compute(address.id(), (id, current) -> {
            if (current != null && current.address().equals(address)) {
                return current;
            }
            if (current != null) {
                current.close();
            }
            return open(address);
        });
    }

    /** Closes the client of a back end that was dropped or restarted; its running calls fail. */
    public void evict(long backendId) {
        BackendClient client = clients.remove(backendId);
        if (client != null) {
            client.close();
        }
    }

    /** Number of open clients. */
    public int size() {
        return clients.size();
    }

    @Override
    public void close() {
        clients.values().forEach(BackendClient::close);
        clients.clear();
        channels.close();
    }

    private BackendClient open(BackendAddress address) {
        ManagedChannel control = channels.open(address);
        return new BackendClient(address, control, channels.open(address));
    }
}
