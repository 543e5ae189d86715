// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.rpc;

import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ExecutorService;
import org.apache.thrift.TProcessor;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.server.TThreadPoolServer;
import org.apache.thrift.transport.TServerSocket;
import org.apache.thrift.transport.TTransportException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.thetis.base.config.RpcSettings;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.base.thread.Executors;

/** Serves Thrift calls of back ends: binary protocol, buffered, one pooled thread per connection. */
public final class RpcServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RpcServer.class);
    private static final int IDLE_TIMEOUT_MS = 600_000;

    private final TThreadPoolServer server;
    private final ServerSocket socket;
    private final ExecutorService pool;

    /** Binds the port and starts serving; fails with IO_ERROR when the port is taken. */
    public RpcServer(TProcessor processor, RpcSettings settings, int port) {
        try {
            TServerSocket transport = new TServerSocket(new TServerSocket.ServerSocketTransportArgs()
                    .bindAddr(new InetSocketAddress(port))
                    .backlog(settings.thriftBacklogNum())
                    .clientTimeout(IDLE_TIMEOUT_MS));
            this.socket = transport.getServerSocket();
            this.pool = Executors.growing("rpc", settings.thriftServerMaxWorkerThreads());
            this.server = new TThreadPoolServer(new TThreadPoolServer.Args(transport)
                    .processor(processor)
                    .protocolFactory(new TBinaryProtocol.Factory(
                            true, true, settings.thriftMaxMessageSize(), settings.thriftMaxMessageSize()))
                    .executorService(pool));
        } catch (TTransportException taken) {
            throw new ThetisException(
                    ErrorCode.IO_ERROR, "cannot listen on rpc_port " + port + ": " + taken.getMessage(), taken);
        }
        Thread acceptor = new Thread(server::serve, "rpc-accept");
        acceptor.setDaemon(true);
        acceptor.start();
        LOG.info("rpc service listens port={}", port());
    }

    public int port() {
        return socket.getLocalPort();
    }

    @Override
    public void close() {
        server.stop();
        pool.shutdownNow();
    }
}
