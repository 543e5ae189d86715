// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.thetis.base.config.Config;
import org.thetis.base.config.JournalSettings;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.persist.AllocateIds;
import org.thetis.catalog.persist.SaveDatabase;
import org.thetis.catalog.snapshot.CatalogWriter;
import org.thetis.cluster.testing.TestCluster;

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
        return open(directory, writer);
    }

    private RatisJournal open(Path metaDirectory, CatalogWriter writer) {
        Config config =
                Config.defaults(Map.of("meta_dir", metaDirectory.toString(), "edit_log_port", String.valueOf(port)));
        RatisJournal journal = new RatisJournal(
                new JournalSettings(config), "127.0.0.1", writer, TestCluster.debugPoints(config), failure -> {});
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
    void killLosesNothingAcknowledgedEvenWithATornTail() throws IOException {
        Path copy = directory.resolve("copy");
        Path torn = directory.resolve("torn");
        CatalogWriter before = new CatalogWriter();
        try (RatisJournal journal = open(before)) {
            for (long id = 1; id <= 5; id++) {
                journal.appendAndWait(database(id));
            }
            // What is on disk now is what a kill at this moment would leave.
            copyFiles(directory.resolve("journal"), copy.resolve("journal"));
            Files.copy(directory.resolve("NODE"), copy.resolve("NODE"));
            copyFiles(copy, torn);
        }
        assertThat(databasesIn(copy)).isEqualTo(5);
        // A crash in the middle of a write leaves a part of the record, then the zeros the file was filled with.
        copyFiles(torn, directory.resolve("damaged"));
        zeroTail(lastSegment(torn), 10);
        assertThat(databasesIn(torn)).isBetween(4, 5);
        // Damage with whole records behind it is not the trace of a crash: going on would lose what was acknowledged.
        Path segment = lastSegment(directory.resolve("damaged"));
        byte[] content = Files.readAllBytes(segment);
        content[200] ^= 1;
        Files.write(segment, content);
        assertThatThrownBy(() -> databasesIn(directory.resolve("damaged")))
                .isInstanceOf(ThetisException.class)
                .hasMessageContaining("cannot open the journal")
                .hasMessageContaining("corrupted");
    }

    private int databasesIn(Path metaDirectory) {
        CatalogWriter after = new CatalogWriter();
        try (RatisJournal journal = open(metaDirectory, after)) {
            int found = after.snapshot().databases().size();
            journal.appendAndWait(database(99));
            assertThat(after.snapshot().findDatabase("db99")).isPresent();
            return found;
        }
    }

    private static void copyFiles(Path from, Path to) throws IOException {
        try (var paths = Files.walk(from)) {
            for (Path path : paths.toList()) {
                Path target = to.resolve(from.relativize(path).toString());
                if (Files.isDirectory(path)) {
                    Files.createDirectories(target);
                } else if (!path.endsWith("in_use.lock")) {
                    Files.copy(path, target);
                }
            }
        }
    }

    private static Path lastSegment(Path metaDirectory) throws IOException {
        try (var paths = Files.walk(metaDirectory)) {
            return paths.filter(path -> path.toString().contains("log_inprogress"))
                    .max(Path::compareTo)
                    .orElseThrow();
        }
    }

    private static void zeroTail(Path segment, int bytes) throws IOException {
        byte[] content = Files.readAllBytes(segment);
        int end = content.length;
        while (content[end - 1] == 0) {
            end--;
        }
        Arrays.fill(content, end - bytes, end, (byte) 0);
        Files.write(segment, content);
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
        long opening = System.nanoTime();
        try (RatisJournal journal = open(writer)) {
            System.out.println("journal opened in " + (System.nanoTime() - opening) / 1_000_000 + " ms");
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
            System.out.println("journal append: single " + single / 1000 + " us, of 1000 concurrent " + batched / 1000
                    + " us each");
            assertThat(writer.snapshot().nextId()).isEqualTo(1400);
        }
    }
}
