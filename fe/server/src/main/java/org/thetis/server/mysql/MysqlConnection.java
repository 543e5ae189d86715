// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.mysql;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
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
import org.thetis.catalog.object.Privilege;
import org.thetis.catalog.object.Scope;
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

    /** No idle time runs: a command does. */
    private static final long NEVER = Long.MIN_VALUE;

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
    private final Deque<Packet> waiting = new ArrayDeque<>(1);
    private State state = State.LOGIN;
    private boolean busy;
    private boolean draining;
    private @Nullable LoginRequest login;
    private @Nullable Session session;
    private @Nullable CommandExecutor executor;
    private @Nullable PointQueries pointQueries;

    /** A reply stands in the socket's buffer, past what the client should leave unread: the next command waits for it. */
    private boolean awaitsWritable;

    /** Replies were written that no flush followed yet. */
    private boolean flushDue;

    private @Nullable ScheduledFuture<?> idleTimer;

    /** When the idle timer fires. It is moved only when it would come too late, and looks at the clock when it comes too early. */
    private long idleTimerNanos;

    private long idleSinceNanos;
    private int idleSeconds;

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
        if (!busy && waiting.isEmpty()) {
            handle(packet);
            flushReplies();
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
        PointQueries inline = pointQueries;
        if (inline != null) {
            inline.abandon();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        CommandExecutor running = executor;
        if (running != null) {
            running.writabilityChanged(channel.isWritable());
        }
        if (awaitsWritable && channel.isWritable()) {
            awaitsWritable = false;
            commandDone();
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
        idleSinceNanos = NEVER;
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
        boolean administrator =
                services.catalog().snapshot().accessChecker().has(user.identity(), Scope.GLOBAL, Privilege.ADMIN);
        services.sessions().register(opened, maxConnectionsOf(user), administrator);
        session = opened;
        executor = commands;
        login = null;
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
        if (CommandExecutor.isSmall(packet.payload())) {
            commands.execute(packet.payload(), this::commandDone);
            return;
        }
        try {
            if (startsInline(packet)) {
                packet.payload().release();
                return;
            }
        } catch (RuntimeException bug) {
            LOG.error("look-up failed unexpectedly connection={}", connectionId, bug);
            packet.payload().release();
            if (pointQueries != null) {
                pointQueries.abandon();
            }
            ByteBuf out = writer.allocate();
            Replies.error(out, new ThetisException(ErrorCode.INTERNAL, "internal error: " + bug.getMessage(), bug));
            writer.write(out);
            lookupDone();
            return;
        }
        flushReplies();
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

    /** Whether the packet is a key look-up that now runs on this thread, or already has. */
    private boolean startsInline(Packet packet) {
        PointQueries inline = pointQueries;
        Session known = session;
        if (packet.sequence() != 0 || known == null) {
            return false;
        }
        if (inline == null) {
            inline = new PointQueries(services.points(), services, known, channel, writer, this::lookupDone);
            pointQueries = inline;
        }
        return inline.start(packet.payload());
    }

    /** The reply of a look-up is written, not flushed. Called on the event loop. */
    private void lookupDone() {
        flushDue = true;
        if (channel.isWritable()) {
            commandDone();
            return;
        }
        flushReplies();
        if (channel.isWritable()) {
            commandDone();
            return;
        }
        awaitsWritable = true;
        Session known = session;
        int seconds = known == null ? 1 : known.variables().settings().netWriteTimeout();
        long before = channel.bytesBeforeWritable();
        channel.eventLoop()
                .schedule(
                        () -> {
                            if (awaitsWritable && channel.bytesBeforeWritable() >= before) {
                                LOG.info("connection closed, its client does not read id={}", connectionId);
                                channel.close();
                            }
                        },
                        Math.max(1, seconds),
                        TimeUnit.SECONDS);
    }

    private void flushReplies() {
        if (flushDue) {
            flushDue = false;
            channel.flush();
        }
    }

    /** Called on any thread when the reply of a command is written. */
    private void commandDone() {
        EventLoop loop = channel.eventLoop();
        if (!loop.inEventLoop()) {
            try {
                loop.execute(this::commandDone);
            } catch (RejectedExecutionException stopped) {
                // The loops stop when the front end does; the connection is closed by then.
                LOG.debug("command ended after its event loop id={}", connectionId, stopped);
            }
            return;
        }
        busy = false;
        if (draining) {
            return;
        }
        // Commands that end at once come back here: one loop, however many of them a client sent ahead.
        draining = true;
        while (!busy) {
            Packet next = waiting.poll();
            if (next == null) {
                break;
            }
            handle(next);
        }
        draining = false;
        flushReplies();
        if (!busy && state == State.READY) {
            armIdle();
        }
        if (waiting.size() < MAX_WAITING && !channel.config().isAutoRead()) {
            channel.config().setAutoRead(true);
        }
    }

    private void armIdle() {
        Session known = session;
        if (known != null) {
            armIdleTimer(known.variables().frequent().waitTimeout());
        }
    }

    private void armIdleTimer(int seconds) {
        long now = System.nanoTime();
        idleSinceNanos = now;
        idleSeconds = Math.max(1, seconds);
        long due = now + TimeUnit.SECONDS.toNanos(idleSeconds);
        if (idleTimer != null && due - idleTimerNanos >= 0) {
            return;
        }
        scheduleIdleTimer(due, now);
    }

    private void scheduleIdleTimer(long due, long now) {
        cancelIdleTimer();
        idleTimerNanos = due;
        idleTimer = channel.eventLoop().schedule(this::idleTimerFired, due - now, TimeUnit.NANOSECONDS);
    }

    private void idleTimerFired() {
        idleTimer = null;
        if (idleSinceNanos == NEVER) {
            // A command runs; the timer is set again when it ends.
            return;
        }
        long now = System.nanoTime();
        long due = idleSinceNanos + TimeUnit.SECONDS.toNanos(idleSeconds);
        if (due - now > 0) {
            scheduleIdleTimer(due, now);
            return;
        }
        LOG.info("idle connection closed id={} seconds={}", connectionId, idleSeconds);
        channel.close();
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
