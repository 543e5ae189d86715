// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.journal;

import java.io.File;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.ratis.io.MD5Hash;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.apache.ratis.util.MD5FileUtil;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.persist.Image;
import org.thetis.catalog.persist.RecordCodec;
import org.thetis.catalog.snapshot.CatalogWriter;

/**
 * Ratis's view of the catalog: log entries are records, its snapshots are our images. Records are applied by one thread, in log
 * order. A record that cannot be read stops the journal: going on would make front ends differ.
 */
final class CatalogStateMachine extends BaseStateMachine {
    private static final Logger LOG = LoggerFactory.getLogger(CatalogStateMachine.class);

    private final SimpleStateMachineStorage storage = new SimpleStateMachineStorage();
    private final CatalogWriter writer;
    private final Consumer<Throwable> onFatal;
    private final CompletableFuture<Void> leaderReady = new CompletableFuture<>();

    CatalogStateMachine(CatalogWriter writer, Consumer<Throwable> onFatal) {
        this.writer = writer;
        this.onFatal = onFatal;
    }

    /** Completes when this front end leads and everything logged before is applied. */
    CompletableFuture<Void> leaderReady() {
        return leaderReady;
    }

    @Override
    public void initialize(RaftServer server, RaftGroupId groupId, RaftStorage raftStorage) throws IOException {
        super.initialize(server, groupId, raftStorage);
        storage.init(raftStorage);
        loadImage();
    }

    @Override
    public void reinitialize() throws IOException {
        storage.loadLatestSnapshot();
        loadImage();
    }

    private void loadImage() {
        @Nullable SingleFileSnapshotInfo latest = storage.getLatestSnapshot();
        if (latest == null) {
            return;
        }
        writer.reset(Image.read(latest.getFile().getPath()));
        setLastAppliedTermIndex(latest.getTermIndex());
        LOG.info("Loaded image: file={} index={}", latest.getFile().getPath(), latest.getIndex());
    }

    @Override
    public StateMachineStorage getStateMachineStorage() {
        return storage;
    }

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext context) {
        LogEntryProto entry = context.getLogEntry();
        try {
            byte[] bytes = entry.getStateMachineLogEntry().getLogData().toByteArray();
            writer.apply(RecordCodec.decode(bytes));
        } catch (RuntimeException e) {
            LOG.error("Cannot apply a journal record: term={} index={}", entry.getTerm(), entry.getIndex(), e);
            onFatal.accept(e);
            throw e;
        }
        updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
        return CompletableFuture.completedFuture(Message.EMPTY);
    }

    @Override
    public long takeSnapshot() throws IOException {
        TermIndex last = getLastAppliedTermIndex();
        File file = storage.getSnapshotFile(last.getTerm(), last.getIndex());
        try {
            Image.write(writer.snapshot(), file.toPath());
        } catch (ThetisException e) {
            throw new IOException(e.text(), e);
        }
        MD5Hash digest = MD5FileUtil.computeAndSaveMd5ForFile(file);
        storage.updateLatestSnapshot(new SingleFileSnapshotInfo(new FileInfo(file.toPath(), digest), last));
        LOG.info("Wrote image: file={} index={} bytes={}", file, last.getIndex(), file.length());
        return last.getIndex();
    }

    @Override
    public void notifyLeaderReady() {
        leaderReady.complete(null);
    }

    @Override
    public void notifyLogFailed(Throwable cause, LogEntryProto failed) {
        LOG.error("The journal cannot be written.", cause);
        onFatal.accept(
                new ThetisException(ErrorCode.IO_ERROR, "the journal cannot be written: " + cause.getMessage(), cause));
    }
}
