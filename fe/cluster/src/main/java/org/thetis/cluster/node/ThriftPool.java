// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.node;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.thrift.TConfiguration;
import org.apache.thrift.TException;
import org.apache.thrift.TServiceClient;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.transport.TSocket;
import org.apache.thrift.transport.TTransportException;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;

/**
 * Connections to one Thrift service on many hosts, kept for later calls. Every call has a deadline for each read and write; a call
 * that finds its kept connection closed by the other side is repeated once on a fresh one, so calls must be idempotent.
 * Thread-safe; a connection serves one call at a time.
 */
public final class ThriftPool<C extends TServiceClient> implements AutoCloseable {
    private static final int MAX_IDLE_PER_ADDRESS = 16;
    private static final int CONNECT_TIMEOUT_MILLIS = 3000;
    private static final int MAX_MESSAGE_BYTES = 256 << 20;

    private final Function<TProtocol, C> factory;
    private final ConcurrentHashMap<Address, Deque<Connection<C>>> idle = new ConcurrentHashMap<>();
    private volatile boolean closed;

    private record Address(String host, int port) {}

    private record Connection<C>(TSocket socket, C client) {}

    /** One call on a client. */
    @FunctionalInterface
    public interface Call<C, R> {
        R run(C client) throws TException;
    }

    public ThriftPool(Function<TProtocol, C> factory) {
        this.factory = factory;
    }

    /** Runs one call; fails with RPC_ERROR or TIMEOUT, naming the address. */
    public <R> R call(String host, int port, Duration deadline, Call<C, R> call) {
        Address address = new Address(host, port);
        @Nullable Connection<C> kept = take(address);
        if (kept != null) {
            try {
                return run(address, kept, deadline, call);
            } catch (TTransportException e) {
                if (e.getType() == TTransportException.TIMED_OUT) {
                    throw failed(address, e);
                }
            } catch (TException e) {
                throw failed(address, e);
            }
        }
        try {
            return run(address, open(address), deadline, call);
        } catch (TException e) {
            throw failed(address, e);
        }
    }

    private <R> R run(Address address, Connection<C> connection, Duration deadline, Call<C, R> call) throws TException {
        boolean good = false;
        try {
            connection.socket.setTimeout((int) Math.min(Integer.MAX_VALUE, Math.max(1, deadline.toMillis())));
            R result = call.run(connection.client);
            good = true;
            return result;
        } finally {
            if (good) {
                keep(address, connection);
            } else {
                connection.socket.close();
            }
        }
    }

    private Connection<C> open(Address address) throws TTransportException {
        TConfiguration limits =
                TConfiguration.custom().setMaxMessageSize(MAX_MESSAGE_BYTES).build();
        TSocket socket =
                new TSocket(limits, address.host, address.port, CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MILLIS);
        socket.open();
        return new Connection<>(socket, factory.apply(new TBinaryProtocol(socket)));
    }

    private @Nullable Connection<C> take(Address address) {
        @Nullable Deque<Connection<C>> connections = idle.get(address);
        if (connections == null) {
            return null;
        }
        synchronized (connections) {
            return connections.pollFirst();
        }
    }

    private void keep(Address address, Connection<C> connection) {
        Deque<Connection<C>> connections = idle.computeIfAbsent(address, key -> new ArrayDeque<>());
        synchronized (connections) {
            if (!closed && connections.size() < MAX_IDLE_PER_ADDRESS) {
                connections.addFirst(connection);
                return;
            }
        }
        connection.socket.close();
    }

    private static ThetisException failed(Address address, TException cause) {
        boolean timeout =
                cause instanceof TTransportException transport && transport.getType() == TTransportException.TIMED_OUT;
        String reason = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        return new ThetisException(
                timeout ? ErrorCode.TIMEOUT : ErrorCode.RPC_ERROR,
                "call to " + address.host + ":" + address.port + " failed: " + reason,
                cause);
    }

    @Override
    public void close() {
        closed = true;
        for (Deque<Connection<C>> connections : idle.values()) {
            synchronized (connections) {
                connections.forEach(connection -> connection.socket.close());
                connections.clear();
            }
        }
    }
}
