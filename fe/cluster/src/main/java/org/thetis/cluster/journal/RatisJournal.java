// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.journal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SnapshotManagementRequest;
import org.apache.ratis.protocol.exceptions.LeaderNotReadyException;
import org.apache.ratis.protocol.exceptions.NotLeaderException;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.thetis.base.config.JournalSettings;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.base.fault.DebugPoints;
import org.thetis.catalog.persist.JournalRecord;
import org.thetis.catalog.persist.RecordCodec;
import org.thetis.catalog.snapshot.CatalogWriter;

/**
 * The journal on Apache Ratis. Requests go to the local server in process, without a client. One front end is a group of one and
 * takes the same path as many: append, sync to disk, commit, apply.
 */
public final class RatisJournal implements Journal, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RatisJournal.class);
    private static final RaftGroupId GROUP =
            RaftGroupId.valueOf(UUID.nameUUIDFromBytes("thetis-journal".getBytes(StandardCharsets.UTF_8)));
    private static final Duration APPEND_DEADLINE = Duration.ofSeconds(30);
    private static final String NAME_FILE = "NODE";

    private final JournalSettings settings;
    private final String host;
    private final DebugPoints debugPoints;
    private final CatalogStateMachine stateMachine;
    private final ClientId client = ClientId.randomId();
    private final AtomicLong nextCall = new AtomicLong();
    private @Nullable RaftServer server;
    private @Nullable RaftPeerId self;

    /** `host` is the own address as other front ends know it; `onFatal` hears of failures after which nothing can be journalled. */
    public RatisJournal(
            JournalSettings settings,
            String host,
            CatalogWriter writer,
            DebugPoints debugPoints,
            Consumer<Throwable> onFatal) {
        this.settings = settings;
        this.host = host;
        this.debugPoints = debugPoints;
        this.stateMachine = new CatalogStateMachine(writer, onFatal);
    }

    /** Opens or creates the log in `meta_dir`, replays it, and waits at most so long until this front end leads. */
    public void start(Duration deadline) {
        Path directory = Path.of(settings.metaDir());
        try {
            Path storage = directory.resolve("journal");
            Files.createDirectories(storage);
            RaftPeerId peer = RaftPeerId.valueOf(nodeName(directory));
            self = peer;
            RaftGroup group = RaftGroup.valueOf(
                    GROUP,
                    RaftPeer.newBuilder()
                            .setId(peer)
                            .setAddress(host + ":" + settings.editLogPort())
                            .build());
            Path groupDirectory = storage.resolve(GROUP.getUuid().toString());
            Path current = groupDirectory.resolve("current");
            boolean formatted = Files.exists(current.resolve("raft-meta"));
            if (formatted) {
                TornTail.repair(current);
            } else {
                removeUnfinished(groupDirectory);
            }
            RaftServer started = RaftServer.newBuilder()
                    .setServerId(peer)
                    .setGroup(group)
                    .setStateMachine(stateMachine)
                    .setProperties(properties(storage))
                    .setOption(formatted ? RaftStorage.StartupOption.RECOVER : RaftStorage.StartupOption.FORMAT)
                    .build();
            server = started;
            started.start();
        } catch (CompletionException e) {
            throw new ThetisException(
                    ErrorCode.CORRUPTION,
                    "cannot open the journal in " + directory + ": " + rootOf(e).getMessage(),
                    e);
        } catch (IOException e) {
            throw new ThetisException(
                    ErrorCode.IO_ERROR, "cannot open the journal in " + directory + ": " + e.getMessage(), e);
        }
        await(stateMachine.leaderReady(), deadline, "the journal did not become ready");
        LOG.info("Journal is ready: directory={} applied={}", directory, lastApplied());
    }

    private static Throwable rootOf(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    private RaftProperties properties(Path storage) {
        RaftProperties properties = new RaftProperties();
        GrpcConfigKeys.Server.setPort(properties, settings.editLogPort());
        RaftServerConfigKeys.setStorageDir(properties, List.of(storage.toFile()));
        // The first election of a lone front end follows at once; later ones leave room for pauses of the process.
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(properties, milliseconds(20));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(properties, milliseconds(40));
        RaftServerConfigKeys.Rpc.setTimeoutMin(properties, milliseconds(1000));
        RaftServerConfigKeys.Rpc.setTimeoutMax(properties, milliseconds(1500));
        RaftServerConfigKeys.Rpc.setRequestTimeout(properties, milliseconds(APPEND_DEADLINE.toMillis()));
        RaftServerConfigKeys.Log.setPreallocatedSize(properties, SizeInBytes.valueOf("4MB"));
        RaftServerConfigKeys.Log.setSegmentSizeMax(properties, SizeInBytes.valueOf("64MB"));
        // One record holds a whole table; a table of many tablets is some megabytes.
        RaftServerConfigKeys.Log.setWriteBufferSize(properties, SizeInBytes.valueOf("64MB"));
        RaftServerConfigKeys.Log.Appender.setBufferByteLimit(properties, SizeInBytes.valueOf("48MB"));
        RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(properties, true);
        RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(properties, true);
        RaftServerConfigKeys.Snapshot.setAutoTriggerThreshold(properties, settings.editLogRollNum());
        RaftServerConfigKeys.Snapshot.setRetentionFileNum(properties, 2);
        return properties;
    }

    private static TimeDuration milliseconds(long count) {
        return TimeDuration.valueOf(count, TimeUnit.MILLISECONDS);
    }

    /** The name this front end has in the group, made once. */
    private static String nodeName(Path directory) throws IOException {
        Path file = directory.resolve(NAME_FILE);
        if (Files.exists(file)) {
            return Files.readString(file).strip();
        }
        String name = "fe_" + UUID.randomUUID();
        Path temporary = directory.resolve(NAME_FILE + ".tmp");
        Files.writeString(temporary, name + "\n");
        Files.move(temporary, file);
        return name;
    }

    /** A format that was cut short left nothing worth keeping: no record was acknowledged yet. */
    private static void removeUnfinished(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        try (var paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    /** The name of this front end in the group, known after {@link #start}. */
    public String nodeName() {
        return started(self).toString();
    }

    @Override
    public CompletableFuture<Void> append(JournalRecord record) {
        String kind = record.getClass().getSimpleName();
        debugPoints.reach("Journal.append", kind);
        ByteString bytes = UnsafeByteOperations.unsafeWrap(RecordCodec.encode(record));
        RaftClientRequest request = RaftClientRequest.newBuilder()
                .setClientId(client)
                .setServerId(started(self))
                .setGroupId(GROUP)
                .setCallId(nextCall.incrementAndGet())
                .setMessage(Message.valueOf(bytes))
                .setType(RaftClientRequest.writeRequestType())
                .build();
        try {
            return started(server).submitClientRequestAsync(request).handle((reply, failure) -> {
                check(reply, failure);
                debugPoints.reach("Journal.append.done", kind);
                return null;
            });
        } catch (IOException e) {
            return CompletableFuture.failedFuture(
                    new ThetisException(ErrorCode.IO_ERROR, "cannot write the journal: " + e.getMessage(), e));
        }
    }

    private static void check(@Nullable RaftClientReply reply, @Nullable Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause == null && reply != null && !reply.isSuccess()) {
            cause = reply.getException();
        }
        if (cause instanceof NotLeaderException || cause instanceof LeaderNotReadyException) {
            throw new ThetisException(ErrorCode.NOT_LEADER, "this front end does not lead the cluster", cause);
        }
        if (cause != null || reply == null || !reply.isSuccess()) {
            throw new ThetisException(
                    ErrorCode.IO_ERROR,
                    "cannot write the journal: " + (cause == null ? "no reply" : cause.getMessage()),
                    cause);
        }
    }

    @Override
    public void await(CompletableFuture<Void> append) {
        await(append, APPEND_DEADLINE, "the journal did not take a record");
    }

    private static void await(CompletableFuture<?> future, Duration deadline, String what) {
        try {
            future.get(deadline.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ThetisException(ErrorCode.CANCELLED, what + ": interrupted", e);
        } catch (TimeoutException e) {
            throw new ThetisException(ErrorCode.TIMEOUT, what + " within " + deadline.toMillis() + " ms", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ThetisException known) {
                throw known;
            }
            throw new ThetisException(ErrorCode.INTERNAL, what + ": " + e.getCause(), e);
        }
    }

    @Override
    public boolean isLeader() {
        try {
            return server != null && server.getDivision(GROUP).getInfo().isLeaderReady();
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public long lastApplied() {
        return Math.max(0, stateMachine.getLastAppliedTermIndex().getIndex());
    }

    @Override
    public void checkpoint() {
        SnapshotManagementRequest request = SnapshotManagementRequest.newCreate(
                client,
                started(self),
                GROUP,
                nextCall.incrementAndGet(),
                Duration.ofMinutes(5).toMillis());
        await(
                started(server).snapshotManagementAsync(request).thenAccept(reply -> check(reply, null)),
                Duration.ofMinutes(5),
                "the image was not written");
    }

    private static <T> T started(@Nullable T part) {
        if (part == null) {
            throw new ThetisException(ErrorCode.INTERNAL, "the journal is not started");
        }
        return part;
    }

    @Override
    public void close() {
        if (server != null) {
            try {
                server.close();
            } catch (IOException e) {
                LOG.warn("The journal did not close cleanly.", e);
            }
        }
    }
}
