// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.timeout.IdleStateHandler;
import java.net.InetSocketAddress;
import java.util.List;
import org.thetis.base.config.HttpSettings;
import org.thetis.server.net.EventLoops;

/** Listens for HTTP. Load requests are answered from their headers alone; all others are read whole first. */
public final class HttpServer implements AutoCloseable {
    private static final int MAX_BODY_BYTES = 16 << 20;
    private static final int IDLE_SECONDS = 300;

    private final Channel listener;

    /** Binds the port; fails with a BindException when it is taken. */
    public HttpServer(
            HttpServices services, List<Endpoint> endpoints, HttpSettings settings, int port, EventLoops loops) {
        Router router = new Router(endpoints);
        LoadRedirect redirect = new LoadRedirect(services);
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loops.acceptor(), loops.workers())
                .channel(loops.serverChannel())
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline()
                                .addLast(new IdleStateHandler(0, 0, IDLE_SECONDS))
                                .addLast(new HttpServerCodec(16 << 10, 64 << 10, 64 << 10))
                                .addLast(new LoadRequestHandler(redirect, services.workers()))
                                .addLast(new HttpObjectAggregator(MAX_BODY_BYTES))
                                .addLast(new HttpHandler(services, router, settings));
                    }
                });
        this.listener = bootstrap.bind(port).syncUninterruptibly().channel();
    }

    public int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    @Override
    public void close() {
        listener.close().syncUninterruptibly();
    }
}
