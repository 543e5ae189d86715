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
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** The threads that move bytes for the MySQL and HTTP fronts: epoll where the platform has it. Nothing on them may block. */
public final class EventLoops implements AutoCloseable {
    private final List<Thread> workerThreads = new CopyOnWriteArrayList<>();
    private final EventLoopGroup acceptor;
    private final EventLoopGroup workers;

    public EventLoops(int workerThreads) {
        this.acceptor = group(new DefaultThreadFactory("accept", true), 1);
        this.workers = group(
                new DefaultThreadFactory("front", true) {
                    @Override
                    public Thread newThread(Runnable task) {
                        Thread thread = super.newThread(task);
                        EventLoops.this.workerThreads.add(thread);
                        return thread;
                    }
                },
                Math.max(1, workerThreads));
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

    /** CPU time that the workers have used so far. */
    public long workerCpuNanos() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long total = 0;
        for (Thread thread : workerThreads) {
            // -1 of a thread that has ended, which they do together with the front end.
            total += Math.max(0, threads.getThreadCpuTime(thread.getId()));
        }
        return total;
    }

    private static EventLoopGroup group(DefaultThreadFactory names, int threads) {
        return Epoll.isAvailable() ? new EpollEventLoopGroup(threads, names) : new NioEventLoopGroup(threads, names);
    }
}
