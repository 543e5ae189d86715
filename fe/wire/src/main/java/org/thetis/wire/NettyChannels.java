// SPDX-License-Identifier: Apache-2.0
package org.thetis.wire;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.TimeUnit;

/** Channels over TCP that share one small event-loop group. Callbacks run on the loops, so nothing in them may block. */
final class NettyChannels implements ChannelFactory {
    /** A result chunk is about 1 MB; one row may be larger. */
    private static final int MAX_MESSAGE_BYTES = 1 << 30;

    private static final int FLOW_WINDOW_BYTES = 4 << 20;

    private final EventLoopGroup loops;

    NettyChannels() {
        int threads = Math.max(2, Runtime.getRuntime().availableProcessors());
        DefaultThreadFactory names = new DefaultThreadFactory("backend-rpc", true);
        loops = Epoll.isAvailable() ? new EpollEventLoopGroup(threads, names) : new NioEventLoopGroup(threads, names);
    }

    @Override
    public ManagedChannel open(BackendAddress address) {
        return NettyChannelBuilder.forAddress(address.host(), address.grpcPort())
                .usePlaintext()
                .eventLoopGroup(loops)
                .channelType(Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class)
                .directExecutor()
                .maxInboundMessageSize(MAX_MESSAGE_BYTES)
                .flowControlWindow(FLOW_WINDOW_BYTES)
                // No keep-alive pings: gRPC servers refuse frequent ones, and every call has a deadline anyway.
                .build();
    }

    @Override
    public void close() {
        loops.shutdownGracefully(0, 2, TimeUnit.SECONDS);
    }
}
