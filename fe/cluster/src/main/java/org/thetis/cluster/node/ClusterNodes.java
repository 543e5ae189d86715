// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.node;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.thetis.base.config.NodeSettings;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.base.thread.Clock;
import org.thetis.base.thread.Executors;
import org.thetis.base.thread.PeriodicJob;
import org.thetis.catalog.object.Backend;
import org.thetis.catalog.object.Frontend;
import org.thetis.catalog.persist.DropBackend;
import org.thetis.catalog.persist.InitializeCluster;
import org.thetis.catalog.persist.SaveBackend;
import org.thetis.catalog.persist.SaveFrontend;
import org.thetis.catalog.snapshot.CatalogReader;
import org.thetis.cluster.journal.IdAllocator;
import org.thetis.cluster.journal.Journal;
import org.thetis.wire.thrift.HeartbeatReply;
import org.thetis.wire.thrift.HeartbeatRequest;
import org.thetis.wire.thrift.HeartbeatService;
import org.thetis.wire.thrift.NetworkAddress;

/**
 * Membership and life signs. The leader asks every back end at each interval, and a new one at once; answers and silence change
 * only memory, while ports, tags and membership are journalled.
 */
public final class ClusterNodes implements NodeService, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterNodes.class);
    private static final Duration HEARTBEAT_DEADLINE = Duration.ofSeconds(5);
    private static final long FIRST_ANSWER_POLL_NANOS = 2_000_000;

    private final NodeSettings settings;
    private final Journal journal;
    private final CatalogReader catalog;
    private final IdAllocator ids;
    private final Frontend self;
    private final Clock clock;
    private final long startMillis;
    private final long epoch;
    private final ConcurrentHashMap<Long, Liveness> liveness = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Long, Boolean> inFlight = new ConcurrentHashMap<>();
    private final List<NodeListener> listeners = new CopyOnWriteArrayList<>();
    private final ThriftPool<HeartbeatService.Client> heartbeats = new ThriftPool<>(HeartbeatService.Client::new);
    private final ExecutorService senders;
    private final PeriodicJob job;

    /** `self` is this front end with its ports, under its name in the journal's group. */
    public ClusterNodes(
            NodeSettings settings,
            Journal journal,
            CatalogReader catalog,
            IdAllocator ids,
            Frontend self,
            Clock clock) {
        this.settings = settings;
        this.journal = journal;
        this.catalog = catalog;
        this.ids = ids;
        this.self = self;
        this.clock = clock;
        this.startMillis = clock.millis();
        this.epoch = Math.max(1, startMillis);
        this.senders = Executors.fixed("heartbeat", settings.heartbeatMgrThreadsNum());
        this.job = new PeriodicJob(
                "heartbeat-rhythm", () -> Duration.ofSeconds(settings.heartbeatIntervalSecond()), this::askEveryone);
    }

    /** Sets the cluster up when it is new, makes this front end known, and starts the heartbeats. */
    public void start(String initialRootPasswordHash) {
        if (!catalog.snapshot().isInitialized()) {
            long id = settings.clusterId() > 0
                    ? settings.clusterId()
                    : ThreadLocalRandom.current().nextLong(1, Integer.MAX_VALUE);
            String token = settings.authToken().isEmpty() ? randomToken() : settings.authToken();
            journal.appendAndWait(new InitializeCluster(id, token, initialRootPasswordHash));
            LOG.info("A new cluster was set up: cluster_id={}", id);
        }
        if (!self.equals(catalog.snapshot().frontends().get(self.name()))) {
            journal.appendAndWait(new SaveFrontend(self));
        }
        job.start();
    }

    /**
     * Waits until every known back end answered its first heartbeat or failed to, at most so long: statements that come right
     * after a restart then find the back ends alive.
     */
    public void awaitFirstAnswers(Duration wait) {
        long deadline = clock.nanos() + wait.toNanos();
        while (clock.nanos() < deadline
                && !liveness.keySet().containsAll(catalog.snapshot().backends().keys())) {
            LockSupport.parkNanos(FIRST_ANSWER_POLL_NANOS);
        }
    }

    private static String randomToken() {
        byte[] bytes = new byte[16];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    @Override
    public void addListener(NodeListener listener) {
        listeners.add(listener);
    }

    private void askEveryone() {
        if (!journal.isLeader()) {
            return;
        }
        for (Backend backend : catalog.snapshot().backends().values()) {
            askSoon(backend);
        }
    }

    /** Asks on another thread, unless a question to the same back end is under way. */
    private void askSoon(Backend backend) {
        if (inFlight.putIfAbsent(backend.id(), true) != null) {
            return;
        }
        senders.execute(() -> {
            try {
                ask(backend);
            } finally {
                inFlight.remove(backend.id());
            }
        });
    }

    private void ask(Backend backend) {
        HeartbeatRequest request = new HeartbeatRequest(
                clusterId(),
                token(),
                new NetworkAddress(self.host(), self.rpcPort()),
                self.httpPort(),
                epoch,
                backend.id(),
                backend.host());
        try {
            HeartbeatReply reply = heartbeats.call(
                    backend.host(), backend.heartbeatPort(), HEARTBEAT_DEADLINE, client -> client.heartbeat(request));
            if (reply.getStatus().getCode() == 0) {
                answered(backend, reply);
            } else {
                failed(backend, String.valueOf(reply.getStatus().getMessage()));
            }
        } catch (ThetisException e) {
            failed(backend, e.text());
        }
    }

    private void answered(Backend backend, HeartbeatReply reply) {
        if (catalog.snapshot().backends().get(backend.id()) == null) {
            return;
        }
        Backend told = backend.withPorts(reply.getBe_port(), reply.getHttp_port(), reply.getBrpc_port());
        if (!told.equals(backend)) {
            journal.appendAndWait(new SaveBackend(told));
        }
        @Nullable Liveness before = liveness.get(backend.id());
        Liveness after = (before == null ? Liveness.UNKNOWN : before).answered(reply, clock.millis());
        liveness.put(backend.id(), after);
        if (before != null && before.processEpoch() >= 0 && before.processEpoch() != after.processEpoch()) {
            LOG.warn("A back end was restarted: backend={} host={}", backend.id(), backend.host());
            tell(listener -> listener.backendRestarted(backend.id()));
        }
        if (before == null || !before.alive()) {
            LOG.info("A back end is alive: backend={} host={} be_port={}", backend.id(), backend.host(), told.bePort());
            tell(listener -> listener.backendUp(backend.id()));
        }
    }

    private void failed(Backend backend, String reason) {
        @Nullable Liveness known = liveness.get(backend.id());
        Liveness before = known == null ? Liveness.UNKNOWN : known;
        Liveness after = before.failed(reason, settings.maxBackendHeartbeatFailureToleranceCount());
        liveness.put(backend.id(), after);
        if (before.alive() && !after.alive()) {
            LOG.warn("A back end is not alive: backend={} host={} reason={}", backend.id(), backend.host(), reason);
            tell(listener -> listener.backendDown(backend.id()));
        }
    }

    private void tell(Consumer<NodeListener> event) {
        listeners.forEach(event);
    }

    @Override
    public List<BackendState> backends() {
        List<BackendState> states = new ArrayList<>();
        for (Backend backend : catalog.snapshot().backends().values()) {
            states.add(state(backend));
        }
        return states;
    }

    @Override
    public Optional<BackendState> findBackend(long id) {
        return catalog.snapshot().backends().find(id).map(this::state);
    }

    private BackendState state(Backend backend) {
        Liveness known = liveness.getOrDefault(backend.id(), Liveness.UNKNOWN);
        return new BackendState(
                backend,
                known.alive(),
                known.startMillis(),
                known.processEpoch(),
                known.lastHeartbeatMillis(),
                known.failures(),
                known.error(),
                known.version(),
                known.numCores(),
                known.memoryBytes(),
                known.lastReportMillis(),
                known.disks());
    }

    @Override
    public boolean isAlive(long backendId) {
        return liveness.getOrDefault(backendId, Liveness.UNKNOWN).alive();
    }

    /** Takes over what a report said of the disks. */
    public void noteReport(long backendId, List<BackendState.Disk> disks) {
        liveness.merge(
                backendId,
                Liveness.UNKNOWN.reported(disks, clock.millis()),
                (before, fresh) -> before.reported(disks.isEmpty() ? before.disks() : disks, clock.millis()));
    }

    @Override
    public long addBackend(String host, int heartbeatPort) {
        if (host.isBlank() || heartbeatPort <= 0 || heartbeatPort > 65535) {
            throw new ThetisException(
                    ErrorCode.INVALID_ARGUMENT, "Not a back end's address: '" + host + ":" + heartbeatPort + "'");
        }
        if (find(host, heartbeatPort).isPresent()) {
            throw new ThetisException(
                    ErrorCode.ALREADY_EXISTS, "Same backend already exists[" + host + ":" + heartbeatPort + "]");
        }
        return add(host, heartbeatPort);
    }

    private long add(String host, int heartbeatPort) {
        Backend backend = Backend.joining(ids.next(), host, heartbeatPort);
        journal.appendAndWait(new SaveBackend(backend));
        LOG.info("A back end was added: backend={} host={} heartbeat_port={}", backend.id(), host, heartbeatPort);
        askSoon(backend);
        return backend.id();
    }

    @Override
    public long registerBackend(String host, int heartbeatPort, long clusterId, String token) {
        if (clusterId != 0 && clusterId != clusterId()) {
            throw ThetisException.of(
                    ErrorCode.INVALID_ARGUMENT,
                    "back end %s:%d belongs to cluster %d, this is cluster %d",
                    host,
                    heartbeatPort,
                    clusterId,
                    clusterId());
        }
        if (clusterId != 0 && settings.enableTokenCheck() && !token.equals(token())) {
            throw ThetisException.of(
                    ErrorCode.INVALID_ARGUMENT, "back end %s:%d has a wrong cluster token", host, heartbeatPort);
        }
        Optional<Backend> known = find(host, heartbeatPort);
        if (known.isPresent()) {
            askSoon(known.get());
            return known.get().id();
        }
        return add(host, heartbeatPort);
    }

    private Optional<Backend> find(String host, int heartbeatPort) {
        return catalog.snapshot().backends().values().stream()
                .filter(backend -> backend.host().equals(host) && backend.heartbeatPort() == heartbeatPort)
                .findFirst();
    }

    private Backend get(String host, int heartbeatPort) {
        return find(host, heartbeatPort)
                .orElseThrow(() -> new ThetisException(
                        ErrorCode.NOT_FOUND, "backend does not exists[" + host + ":" + heartbeatPort + "]"));
    }

    @Override
    public void dropBackend(String host, int heartbeatPort) {
        Backend backend = get(host, heartbeatPort);
        journal.appendAndWait(new DropBackend(backend.id()));
        liveness.remove(backend.id());
        tell(listener -> listener.backendDown(backend.id()));
        LOG.info("A back end was dropped: backend={} host={}", backend.id(), host);
    }

    @Override
    public void decommissionBackend(String host, int heartbeatPort, boolean decommissioned) {
        journal.appendAndWait(new SaveBackend(get(host, heartbeatPort).withDecommissioned(decommissioned)));
    }

    @Override
    public void tagBackend(String host, int heartbeatPort, Map<String, String> tags) {
        Backend backend = get(host, heartbeatPort);
        Map<String, String> all = new TreeMap<>(backend.tags());
        all.putAll(tags);
        journal.appendAndWait(new SaveBackend(backend.withTags(all)));
    }

    @Override
    public List<FrontendState> frontends() {
        List<FrontendState> states = new ArrayList<>();
        for (Frontend frontend : catalog.snapshot().frontends().values()) {
            boolean isSelf = frontend.name().equals(self.name());
            states.add(new FrontendState(
                    frontend,
                    isSelf && journal.isLeader(),
                    isSelf,
                    isSelf,
                    isSelf ? journal.lastApplied() : 0,
                    isSelf ? startMillis : -1,
                    isSelf ? clock.millis() : -1,
                    ""));
        }
        return states;
    }

    @Override
    public long clusterId() {
        return catalog.snapshot().clusterId();
    }

    @Override
    public String token() {
        return catalog.snapshot().token();
    }

    @Override
    public long epoch() {
        return epoch;
    }

    @Override
    public void close() {
        job.close();
        Executors.stop(senders, Duration.ofSeconds(1));
        heartbeats.close();
    }
}
