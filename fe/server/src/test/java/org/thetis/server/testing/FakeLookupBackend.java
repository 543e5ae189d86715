// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.testing;

import com.google.protobuf.ByteString;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.thetis.base.thread.Executors;
import org.thetis.wire.proto.LookupReply;
import org.thetis.wire.proto.LookupRequest;
import org.thetis.wire.proto.RpcMeta;
import org.thetis.wire.proto.RpcResponseMeta;

/** A back end's look-up service made of protobuf's own classes and blocking sockets, with faults on demand. */
public final class FakeLookupBackend implements AutoCloseable {
    /** What becomes of a call. */
    public sealed interface Answer {
        /** A reply with rows, after a delay. */
        record Reply(LookupReply head, ByteString rows, long delayMillis) implements Answer {}

        /** No reply, ever. */
        record Silence() implements Answer {}

        /** The connection is closed. */
        record Disconnect() implements Answer {}

        /** These bytes in place of a frame. */
        record Raw(ByteString bytes) implements Answer {}

        static Answer rows(int numRows, byte[] packets) {
            return new Reply(LookupReply.newBuilder().setNumRows(numRows).build(), ByteString.copyFrom(packets), 0);
        }

        static Answer error(int code, String message) {
            return new Reply(
                    LookupReply.newBuilder().setCode(code).setMessage(message).build(), ByteString.EMPTY, 0);
        }

        static Answer needsPlan() {
            return new Reply(LookupReply.newBuilder().setNeedsPlan(true).build(), ByteString.EMPTY, 0);
        }
    }

    private final Queue<LookupRequest> requests = new ConcurrentLinkedQueue<>();
    private final List<Socket> connections = new CopyOnWriteArrayList<>();
    private final ScheduledExecutorService timers = Executors.scheduled("fake-lookup", 1);
    private final int port;
    private volatile Function<LookupRequest, Answer> behaviour;
    private final AtomicInteger accepted = new AtomicInteger();
    private volatile @Nullable ServerSocket listener;

    public FakeLookupBackend(Function<LookupRequest, Answer> behaviour) throws IOException {
        this.behaviour = behaviour;
        ServerSocket opened = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.port = opened.getLocalPort();
        listen(opened);
    }

    public int port() {
        return port;
    }

    public void behave(Function<LookupRequest, Answer> changed) {
        behaviour = changed;
    }

    /** Every call that came, in order of arrival per connection. */
    public List<LookupRequest> requests() {
        return List.copyOf(requests);
    }

    /** Connections taken so far. */
    public int accepted() {
        return accepted.get();
    }

    /** Stops as a killed process does: the port refuses, connections break. */
    public void kill() throws IOException {
        ServerSocket open = listener;
        if (open != null) {
            open.close();
        }
        for (Socket connection : connections) {
            connection.close();
        }
    }

    /** Listens again on the same port. */
    public void restart() throws IOException {
        ServerSocket again = new ServerSocket();
        again.setReuseAddress(true);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (true) {
            try {
                again.bind(new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                listen(again);
                return;
            } catch (java.net.BindException stillTaken) {
                // The port of a closed socket is free when its last connection is.
                if (System.nanoTime() > deadline) {
                    throw stillTaken;
                }
                Thread.onSpinWait();
            }
        }
    }

    @Override
    public void close() throws IOException {
        kill();
        Executors.stop(timers, java.time.Duration.ofSeconds(1));
    }

    private void listen(ServerSocket opened) {
        listener = opened;
        start("accept", () -> {
            while (true) {
                Socket connection = opened.accept();
                connection.setTcpNoDelay(true);
                connections.add(connection);
                accepted.incrementAndGet();
                start("serve", () -> serve(connection));
            }
        });
    }

    private interface Body {
        void run() throws IOException;
    }

    private void start(String name, Body body) {
        Thread thread = new Thread(
                () -> {
                    try {
                        body.run();
                    } catch (IOException ended) {
                        // Closed by the test or by the client, which both may do at any time.
                        connections.removeIf(Socket::isClosed);
                    }
                },
                "fake-lookup-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    private void serve(Socket connection) throws IOException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(connection.getInputStream()));
        while (true) {
            int magic = in.readInt();
            if (magic != 0x50525043) {
                // A full plan over gRPC: there is no such service here.
                connection.close();
                return;
            }
            int bodyBytes = in.readInt();
            int metaBytes = in.readInt();
            RpcMeta meta = RpcMeta.parseFrom(in.readNBytes(metaBytes));
            LookupRequest request = LookupRequest.parseFrom(in.readNBytes(bodyBytes - metaBytes));
            requests.add(request);
            answer(connection, meta.getCorrelationId(), behaviour.apply(request));
        }
    }

    private void answer(Socket connection, long id, Answer answer) throws IOException {
        if (answer instanceof Answer.Reply reply) {
            byte[] frame = frame(id, reply);
            if (reply.delayMillis() == 0) {
                write(connection, frame);
            } else {
                timers.schedule(
                        () -> {
                            try {
                                write(connection, frame);
                            } catch (IOException gone) {
                                connections.remove(connection);
                            }
                        },
                        reply.delayMillis(),
                        TimeUnit.MILLISECONDS);
            }
        } else if (answer instanceof Answer.Raw raw) {
            write(connection, raw.bytes().toByteArray());
        } else if (answer instanceof Answer.Disconnect) {
            connection.close();
        }
    }

    private static void write(Socket connection, byte[] bytes) throws IOException {
        synchronized (connection) {
            OutputStream out = connection.getOutputStream();
            out.write(bytes);
            out.flush();
        }
    }

    private static byte[] frame(long id, Answer.Reply reply) {
        RpcMeta.Builder meta = RpcMeta.newBuilder()
                .setCorrelationId(id)
                .setResponse(RpcResponseMeta.newBuilder().setErrorCode(0));
        if (!reply.rows().isEmpty()) {
            meta.setAttachmentSize(reply.rows().size());
        }
        byte[] head = meta.build().toByteArray();
        byte[] message = reply.head().toByteArray();
        return ByteBuffer.allocate(
                        12 + head.length + message.length + reply.rows().size())
                .putInt(0x50525043)
                .putInt(head.length + message.length + reply.rows().size())
                .putInt(head.length)
                .put(head)
                .put(message)
                .put(reply.rows().asReadOnlyByteBuffer())
                .array();
    }
}
