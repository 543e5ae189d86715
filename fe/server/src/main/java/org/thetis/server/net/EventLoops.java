// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.net;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.TimeUnit;

/** The threads that move bytes for the MySQL and HTTP fronts: epoll where the platform has it. Nothing on them may block. */
public final class EventLoops implements AutoCloseable {
    private final EventLoopGroup acceptor;
    private final EventLoopGroup workers;

    public EventLoops(int workerThreads) {
        this.acceptor = group("accept", 1);
        this.workers = group("front", Math.max(1, workerThreads));
    }

    public EventLoopGroup acceptor() {
        return acceptor;
    }

    public EventLoopGroup workers() {
        return workers;
    }

    public Class<? extends ServerSocketChannel> serverChannel() {
        return Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    }

    @Override
    public void close() {
        acceptor.shutdownGracefully(0, 2, TimeUnit.SECONDS).syncUninterruptibly();
        workers.shutdownGracefully(0, 2, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private static EventLoopGroup group(String name, int threads) {
        DefaultThreadFactory names = new DefaultThreadFactory(name, true);
        return Epoll.isAvailable() ? new EpollEventLoopGroup(threads, names) : new NioEventLoopGroup(threads, names);
    }
}
