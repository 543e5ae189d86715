// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.testing;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.thrift.TProcessor;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.server.ServerContext;
import org.apache.thrift.server.TServer;
import org.apache.thrift.server.TServerEventHandler;
import org.apache.thrift.server.TThreadPoolServer;
import org.apache.thrift.transport.TServerSocket;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.TTransportException;
import org.jspecify.annotations.Nullable;
import org.thetis.wire.thrift.AlterProgress;
import org.thetis.wire.thrift.AlterState;
import org.thetis.wire.thrift.AlterTabletsRequest;
import org.thetis.wire.thrift.BackendService;
import org.thetis.wire.thrift.ClearTransactionsRequest;
import org.thetis.wire.thrift.CreateTablet;
import org.thetis.wire.thrift.CreateTabletsRequest;
import org.thetis.wire.thrift.DeleteDataRequest;
import org.thetis.wire.thrift.DropTabletsRequest;
import org.thetis.wire.thrift.HeartbeatReply;
import org.thetis.wire.thrift.HeartbeatRequest;
import org.thetis.wire.thrift.HeartbeatService;
import org.thetis.wire.thrift.PartitionVersion;
import org.thetis.wire.thrift.PublishVersionRequest;
import org.thetis.wire.thrift.StatusReply;
import org.thetis.wire.thrift.TabletFailure;
import org.thetis.wire.thrift.TabletStatistics;
import org.thetis.wire.thrift.TabletTasksReply;

/** A back end that keeps its tablets in memory: real Thrift servers on loopback, with faults that tests switch on. */
public final class FakeBackend implements BackendService.Iface, HeartbeatService.Iface, AutoCloseable {
    /** Tablet to its version. */
    public final Map<Long, Long> tablets = new ConcurrentHashMap<>();

    /** Shadow tablets whose conversion was asked for, with the version. */
    public final Map<Long, Long> conversions = new ConcurrentHashMap<>();

    /** What is answered of conversions that were asked for. */
    public volatile AlterState conversionState = AlterState.RUNNING;

    /** `txn/tablet/version` in the order they were published. */
    public final List<String> published = new CopyOnWriteArrayList<>();

    public final Set<Long> cleared = ConcurrentHashMap.newKeySet();
    public volatile boolean failCreates;
    public volatile boolean failPublishes;
    public volatile CountDownLatch publishGate = new CountDownLatch(0);
    public volatile long epoch = 1;
    public volatile long backendId;
    private final int servicePort;
    private final int heartbeatPort;
    private final TServer service;
    private final TServer heartbeat;

    public FakeBackend() {
        try {
            TServerSocket serviceSocket = socket();
            TServerSocket heartbeatSocket = socket();
            servicePort = serviceSocket.getServerSocket().getLocalPort();
            heartbeatPort = heartbeatSocket.getServerSocket().getLocalPort();
            service = serve(serviceSocket, new BackendService.Processor<>(this));
            heartbeat = serve(heartbeatSocket, new HeartbeatService.Processor<>(this));
        } catch (TTransportException e) {
            throw new IllegalStateException(e);
        }
    }

    private static TServerSocket socket() throws TTransportException {
        return new TServerSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    private static TServer serve(TServerSocket socket, TProcessor processor) {
        TServer server = new TThreadPoolServer(new TThreadPoolServer.Args(socket)
                .processor(processor)
                .protocolFactory(new TBinaryProtocol.Factory())
                .minWorkerThreads(1)
                .stopTimeoutVal(100)
                .stopTimeoutUnit(TimeUnit.MILLISECONDS));
        CountDownLatch serving = new CountDownLatch(1);
        server.setServerEventHandler(new ServingSignal(serving));
        Thread thread = new Thread(server::serve, "fake-backend");
        thread.setDaemon(true);
        thread.start();
        try {
            serving.await(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return server;
    }

    public int heartbeatPort() {
        return heartbeatPort;
    }

    @Override
    public HeartbeatReply heartbeat(HeartbeatRequest request) {
        backendId = request.getBackend_id();
        return new HeartbeatReply(new StatusReply(0))
                .setBe_port(servicePort)
                .setHttp_port(1)
                .setBrpc_port(2)
                .setVersion("fake")
                .setStart_time_ms(1)
                .setProcess_epoch(epoch);
    }

    @Override
    public TabletTasksReply create_tablets(CreateTabletsRequest request) {
        List<TabletFailure> failures = new ArrayList<>();
        for (CreateTablet tablet : request.getTablets()) {
            if (failCreates) {
                failures.add(new TabletFailure(tablet.getTablet_id(), new StatusReply(6).setMessage("told to fail")));
            } else {
                tablets.put(tablet.getTablet_id(), tablet.getVersion());
            }
        }
        return reply(failures);
    }

    @Override
    public TabletTasksReply drop_tablets(DropTabletsRequest request) {
        request.getTablet_ids().forEach(tablets::remove);
        return reply(List.of());
    }

    @Override
    public TabletTasksReply publish_version(PublishVersionRequest request) {
        try {
            publishGate.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        List<TabletFailure> failures = new ArrayList<>();
        for (PartitionVersion partition : request.getPartitions()) {
            for (long tablet : partition.getTablet_ids()) {
                if (failPublishes) {
                    failures.add(new TabletFailure(tablet, new StatusReply(6).setMessage("told to fail")));
                } else {
                    tablets.put(tablet, partition.getVersion());
                    published.add(request.getTxn_id() + "/" + tablet + "/" + partition.getVersion());
                }
            }
        }
        return reply(failures);
    }

    private static TabletTasksReply reply(List<TabletFailure> failures) {
        return new TabletTasksReply(new StatusReply(failures.isEmpty() ? 0 : 6)).setFailures(failures);
    }

    @Override
    public StatusReply clear_transactions(ClearTransactionsRequest request) {
        cleared.addAll(request.getTxn_ids());
        return new StatusReply(0);
    }

    @Override
    public TabletTasksReply delete_data(DeleteDataRequest request) {
        return reply(List.of());
    }

    @Override
    public TabletTasksReply alter_tablets(AlterTabletsRequest request) {
        request.getTablets().forEach(tablet -> conversions.put(tablet.getShadow_tablet_id(), tablet.getVersion()));
        return reply(List.of());
    }

    @Override
    public List<AlterProgress> alter_progress(List<Long> shadowTabletIds) {
        List<AlterProgress> answers = new ArrayList<>();
        for (long tablet : shadowTabletIds) {
            AlterState state = !conversions.containsKey(tablet) ? AlterState.UNKNOWN : conversionState;
            answers.add(new AlterProgress(tablet, state).setStatus(new StatusReply(6).setMessage("told to fail")));
        }
        return answers;
    }

    @Override
    public StatusReply cancel_alter(String token, long jobId) {
        return new StatusReply(0);
    }

    @Override
    public TabletStatistics get_tablet_statistics(List<Long> tabletIds, List<Integer> uniqueIds) {
        return new TabletStatistics(List.of());
    }

    @Override
    public void close() {
        service.stop();
        heartbeat.stop();
    }

    /** Tells when the server accepts connections. */
    private record ServingSignal(CountDownLatch serving) implements TServerEventHandler {
        @Override
        public void preServe() {
            serving.countDown();
        }

        @Override
        public @Nullable ServerContext createContext(TProtocol input, TProtocol output) {
            return null;
        }

        @Override
        public void deleteContext(ServerContext context, TProtocol input, TProtocol output) {}

        @Override
        public void processContext(ServerContext context, TTransport input, TTransport output) {}
    }
}
