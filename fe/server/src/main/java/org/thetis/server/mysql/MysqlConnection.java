// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.mysql;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.User;
import org.thetis.query.session.Session;
import org.thetis.query.session.SessionVariables;

/**
 * One client connection: greeting, login, then one command after another. Lives on its event loop; commands run on a worker, and
 * packets that arrive meanwhile wait here, a few at most. A malformed packet closes this connection only.
 */
final class MysqlConnection extends SimpleChannelInboundHandler<Packet> {
    private static final Logger LOG = LoggerFactory.getLogger(MysqlConnection.class);
    private static final int LOGIN_TIMEOUT_SECONDS = 30;
    private static final int MAX_WAITING = 32;
    private static final long MAX_PACKET_BYTES = 1L << 30;

    private enum State {
        LOGIN,
        AUTH_SWITCH,
        READY,
        CLOSED
    }

    private final MysqlServices services;
    private final Channel channel;
    private final PacketDecoder decoder;
    private final byte[] scramble;
    private final PacketWriter writer;
    private final long connectionId;
    private final Deque<Packet> waiting = new ArrayDeque<>();
    private State state = State.LOGIN;
    private boolean busy;
    private @Nullable LoginRequest login;
    private @Nullable Session session;
    private @Nullable CommandExecutor executor;
    private @Nullable ScheduledFuture<?> idleTimer;

    MysqlConnection(MysqlServices services, Channel channel, PacketDecoder decoder, byte[] scramble) {
        super(false);
        this.services = services;
        this.channel = channel;
        this.decoder = decoder;
        this.scramble = scramble;
        this.writer = new PacketWriter(channel);
        this.connectionId = services.sessions().nextConnectionId();
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        if (!services.ready().getAsBoolean()) {
            refuse(new ThetisException(ErrorCode.INTERNAL, "the front end is not ready yet, try again later"));
            return;
        }
        ByteBuf greeting = writer.allocate();
        Greeting.write(greeting, connectionId, scramble);
        writer.writeAndFlush(greeting);
        armIdleTimer(LOGIN_TIMEOUT_SECONDS);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, Packet packet) {
        if (state == State.CLOSED) {
            packet.payload().release();
            return;
        }
        if (!busy) {
            handle(packet);
            return;
        }
        waiting.add(packet);
        if (waiting.size() >= MAX_WAITING) {
            channel.config().setAutoRead(false);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        state = State.CLOSED;
        cancelIdleTimer();
        while (!waiting.isEmpty()) {
            waiting.poll().payload().release();
        }
        Session known = session;
        if (known != null) {
            known.clientLeft();
            services.sessions().remove(known);
        }
        CommandExecutor running = executor;
        if (running != null) {
            running.channelClosed();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        CommandExecutor running = executor;
        if (running != null) {
            running.writabilityChanged(channel.isWritable());
        }
        context.fireChannelWritabilityChanged();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof IOException) {
            LOG.debug("connection lost id={} reason={}", connectionId, cause.getMessage());
            context.close();
            return;
        }
        LOG.info(
                "connection closed for a bad packet id={} client={} reason={}",
                connectionId,
                channel.remoteAddress(),
                cause.toString());
        refuse(new ThetisException(ErrorCode.PACKET_TOO_LARGE, "Got a packet that is too large or malformed"));
    }

    private void handle(Packet packet) {
        cancelIdleTimer();
        writer.answer(packet.sequence());
        try {
            switch (state) {
                case LOGIN -> login(packet.payload());
                case AUTH_SWITCH ->
                    authenticate(ProtocolBytes.readBytes(
                            packet.payload(), packet.payload().readableBytes()));
                case READY -> {
                    if (packet.first() == 0) {
                        command(packet);
                        return;
                    }
                    // A command starts a new exchange; any other number means that the two sides lost count of each
                    // other.
                    refuse(new ThetisException(ErrorCode.PACKETS_OUT_OF_ORDER, "Got packets out of order"));
                }
                case CLOSED -> {}
            }
        } catch (ThetisException failure) {
            refuse(failure);
        }
        packet.payload().release();
    }

    private void login(ByteBuf payload) {
        LoginRequest request = LoginRequest.read(payload);
        login = request;
        if (!request.speaksProtocol41()) {
            ByteBuf out = writer.allocate();
            Replies.error(
                    out,
                    1251,
                    "08004",
                    "Client does not support authentication protocol requested by server; consider upgrading MySQL client");
            writer.writeAndFlush(out);
            channel.close();
            return;
        }
        boolean answered = request.plugin().isEmpty() || request.plugin().equals(Greeting.NATIVE_PASSWORD);
        if (!answered) {
            state = State.AUTH_SWITCH;
            ByteBuf out = writer.allocate();
            Greeting.writeAuthSwitch(out, scramble);
            writer.writeAndFlush(out);
            armIdleTimer(LOGIN_TIMEOUT_SECONDS);
            return;
        }
        authenticate(request.authResponse().toByteArray());
    }

    private void authenticate(byte[] answer) {
        LoginRequest request = login;
        if (request == null) {
            throw ProtocolBytes.malformed();
        }
        InetSocketAddress client = (InetSocketAddress) channel.remoteAddress();
        String host = client.getAddress().getHostAddress();
        User user = services.authenticator().byScramble(request.user(), host, answer, scramble);
        Session opened = new Session(
                connectionId,
                user.identity(),
                request.user(),
                host,
                client.getPort(),
                services.clock().millis(),
                new SessionVariables(services.variables()),
                channel::close);
        CommandExecutor commands =
                new CommandExecutor(services, opened, channel, writer, request.capabilities(), scramble);
        if (!request.database().isEmpty()) {
            commands.useDatabase(request.database());
        }
        services.sessions().register(opened, maxConnectionsOf(user));
        session = opened;
        executor = commands;
        state = State.READY;
        decoder.allow(MAX_PACKET_BYTES);
        ByteBuf out = writer.allocate();
        Replies.ok(out, 0, 0, "", false);
        writer.writeAndFlush(out);
        armIdle();
    }

    private static int maxConnectionsOf(User user) {
        return Integer.parseInt(user.properties().getOrDefault("max_user_connections", "100"));
    }

    private void command(Packet packet) {
        CommandExecutor commands = executor;
        if (commands == null) {
            throw new IllegalStateException("ready without a session");
        }
        busy = true;
        try {
            services.workers().execute(() -> commands.execute(packet.payload(), this::commandDone));
        } catch (RejectedExecutionException full) {
            packet.payload().release();
            busy = false;
            ByteBuf out = writer.allocate();
            Replies.error(
                    out, new ThetisException(ErrorCode.TOO_MANY_CONNECTIONS, "too many statements are running", full));
            writer.writeAndFlush(out);
        }
    }

    /** Called on any thread when the reply of a command is written. */
    private void commandDone() {
        if (!channel.eventLoop().inEventLoop()) {
            channel.eventLoop().execute(this::commandDone);
            return;
        }
        busy = false;
        Packet next = waiting.poll();
        if (next != null) {
            handle(next);
        } else if (state == State.READY) {
            armIdle();
        }
        if (!channel.config().isAutoRead()) {
            channel.config().setAutoRead(true);
        }
    }

    private void armIdle() {
        Session known = session;
        if (known != null) {
            armIdleTimer(known.variables().settings().waitTimeout());
        }
    }

    private void armIdleTimer(int seconds) {
        cancelIdleTimer();
        idleTimer = channel.eventLoop()
                .schedule(
                        () -> {
                            LOG.info("idle connection closed id={} seconds={}", connectionId, seconds);
                            channel.close();
                        },
                        Math.max(1, seconds),
                        TimeUnit.SECONDS);
    }

    private void cancelIdleTimer() {
        ScheduledFuture<?> timer = idleTimer;
        if (timer != null) {
            timer.cancel(false);
            idleTimer = null;
        }
    }

    /** Tells the client why and closes. */
    private void refuse(ThetisException failure) {
        state = State.CLOSED;
        ByteBuf out = writer.allocate();
        Replies.error(out, failure);
        ByteBuf framed = channel.alloc().buffer(out.readableBytes() + 4);
        framed.writeMediumLE(out.readableBytes())
                .writeByte(writer.nextSequence())
                .writeBytes(out);
        out.release();
        channel.writeAndFlush(framed).addListener(ignored -> channel.close());
    }
}
