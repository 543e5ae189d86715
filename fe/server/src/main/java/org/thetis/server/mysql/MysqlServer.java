// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.mysql;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.SocketChannel;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import org.thetis.base.config.MysqlSettings;
import org.thetis.server.net.EventLoops;

/** Listens for MySQL clients. */
public final class MysqlServer implements AutoCloseable {
    /** A client that reads slower than back ends send stops the stream here. */
    private static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(1 << 20, 4 << 20);

    private final MysqlServices services;
    private final EventLoops loops;
    private final Channel listener;

    /** Binds the port; fails with a BindException in a CompletionException when it is taken. */
    public MysqlServer(MysqlServices services, MysqlSettings settings, int port, EventLoops loops) {
        this.services = services;
        this.loops = loops;
        SecureRandom random = new SecureRandom();
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loops.acceptor(), loops.workers())
                .channel(loops.serverChannel())
                .option(ChannelOption.SO_BACKLOG, settings.mysqlNioBacklogNum())
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        PacketDecoder decoder = new PacketDecoder();
                        byte[] scramble = scramble(random);
                        channel.pipeline().addLast(decoder, new MysqlConnection(services, channel, decoder, scramble));
                    }
                });
        this.listener = bootstrap.bind(port).syncUninterruptibly().channel();
    }

    /** The port in use; differs from the one asked for when that was 0. */
    public int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    @Override
    public void close() {
        listener.close().syncUninterruptibly();
        services.sessions().all().forEach(session -> session.kill(true));
    }

    /** Random bytes without NUL and '$', which clients treat as ends. */
    private static byte[] scramble(SecureRandom random) {
        byte[] bytes = new byte[Greeting.SCRAMBLE_BYTES];
        for (int i = 0; i < bytes.length; i++) {
            int value;
            do {
                value = random.nextInt(127);
            } while (value == 0 || value == '$');
            bytes[i] = (byte) value;
        }
        return bytes;
    }
}
