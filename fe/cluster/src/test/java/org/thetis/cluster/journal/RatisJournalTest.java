// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.thetis.base.config.Config;
import org.thetis.base.config.JournalSettings;
import org.thetis.catalog.persist.AllocateIds;
import org.thetis.catalog.persist.SaveDatabase;
import org.thetis.catalog.snapshot.CatalogWriter;

class RatisJournalTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it.
    Path directory;

    private final int port = freePort();

    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private RatisJournal open(CatalogWriter writer) {
        Config config = Config.defaults(Map.of("meta_dir", directory.toString(), "edit_log_port", String.valueOf(port)));
        RatisJournal journal = new RatisJournal(new JournalSettings(config), "127.0.0.1", writer, failure -> {});
        journal.start(Duration.ofSeconds(20));
        return journal;
    }

    private static SaveDatabase database(long id) {
        return new SaveDatabase(id, "db" + id, 1000, Map.of());
    }

    @Test
    void restartReplaysEverythingAcknowledged() {
        CatalogWriter before = new CatalogWriter();
        try (RatisJournal journal = open(before)) {
            for (long id = 1; id <= 20; id++) {
                journal.appendAndWait(database(id));
            }
            assertThat(before.snapshot().databases().size()).isEqualTo(20);
        }
        CatalogWriter after = new CatalogWriter();
        try (RatisJournal journal = open(after)) {
            assertThat(after.snapshot()).isEqualTo(before.snapshot());
            journal.appendAndWait(database(21));
            assertThat(after.snapshot().findDatabase("db21")).isPresent();
        }
    }

    @Test
    void restartFromImageAndTheLogAfterIt() {
        CatalogWriter before = new CatalogWriter();
        try (RatisJournal journal = open(before)) {
            for (long id = 1; id <= 10; id++) {
                journal.appendAndWait(database(id));
            }
            journal.checkpoint();
            journal.appendAndWait(database(11));
        }
        CatalogWriter after = new CatalogWriter();
        try (RatisJournal journal = open(after)) {
            assertThat(after.snapshot()).isEqualTo(before.snapshot());
            assertThat(journal.lastApplied()).isGreaterThan(10);
        }
    }

    @Test
    void tornTailLosesOnlyWhatWasNotAcknowledged() throws IOException {
        CatalogWriter before = new CatalogWriter();
        try (RatisJournal journal = open(before)) {
            for (long id = 1; id <= 5; id++) {
                journal.appendAndWait(database(id));
            }
        }
        // A crash in the middle of a write leaves a part of a record behind the last whole one.
        Path segment = lastSegment();
        long size = Files.size(segment);
        try (FileChannel channel = FileChannel.open(segment, StandardOpenOption.WRITE)) {
            channel.truncate(size - 3);
        }
        CatalogWriter after = new CatalogWriter();
        try (RatisJournal journal = open(after)) {
            assertThat(after.snapshot().databases().size()).isBetween(4, 5);
            journal.appendAndWait(database(9));
            assertThat(after.snapshot().findDatabase("db9")).isPresent();
        }
    }

    private Path lastSegment() throws IOException {
        try (var paths = Files.walk(directory)) {
            return paths.filter(path -> path.getFileName().toString().startsWith("log_"))
                    .max(Path::compareTo)
                    .orElseThrow();
        }
    }

    @Test
    void idsAreNeverGivenTwice() {
        List<Long> given = new ArrayList<>();
        for (int start = 0; start < 2; start++) {
            CatalogWriter writer = new CatalogWriter();
            try (RatisJournal journal = open(writer)) {
                JournaledIds ids = new JournaledIds(journal, writer);
                for (int i = 0; i < 3000; i++) {
                    given.add(ids.next());
                }
            }
        }
        assertThat(given).doesNotHaveDuplicates();
    }

    /** Prints figures; asserts only that concurrent appends all arrive. */
    @Test
    void concurrentAppendsShareDiskWrites() {
        CatalogWriter writer = new CatalogWriter();
        try (RatisJournal journal = open(writer)) {
            for (int i = 0; i < 200; i++) {
                journal.appendAndWait(new AllocateIds(i));
            }
            long start = System.nanoTime();
            for (int i = 0; i < 200; i++) {
                journal.appendAndWait(new AllocateIds(200 + i));
            }
            long single = (System.nanoTime() - start) / 200;
            start = System.nanoTime();
            List<CompletableFuture<Void>> futures = new ArrayList<>();
            for (int i = 1; i <= 1000; i++) {
                futures.add(journal.append(new AllocateIds(400 + i)));
            }
            CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new)).join();
            long batched = (System.nanoTime() - start) / 1000;
            System.out.println("journal append: single " + single / 1000 + " us, of 1000 concurrent " + batched / 1000 + " us each");
            assertThat(writer.snapshot().nextId()).isEqualTo(1400);
        }
    }
}
