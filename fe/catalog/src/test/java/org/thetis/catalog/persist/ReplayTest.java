// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.snapshot.CatalogSnapshot;

class ReplayTest {
    private static final long SEED = 20260729;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it.
    Path directory;

    @Test
    void everyRecordSurvivesItsEncodingAndReplayGivesTheSameCatalog() {
        for (long seed = SEED; seed < SEED + 5; seed++) {
            RandomHistory history = new RandomHistory(seed);
            CatalogSnapshot live = CatalogSnapshot.EMPTY;
            CatalogSnapshot replayed = CatalogSnapshot.EMPTY;
            Set<Class<?>> seen = new HashSet<>();
            for (int i = 0; i < 800; i++) {
                JournalRecord record = history.next(live);
                seen.add(record.getClass());
                JournalRecord decoded = RecordCodec.decode(RecordCodec.encode(record));
                assertThat(decoded).as("seed %s step %s", seed, i).isEqualTo(record);
                live = record.apply(live);
                replayed = decoded.apply(replayed);
            }
            assertThat(replayed).as("seed %s", seed).isEqualTo(live);
            assertThat(seen).containsAll(RecordCodec.classes());
        }
    }

    @Test
    void applyingTwiceIsTheSameAsOnce() {
        RandomHistory history = new RandomHistory(SEED);
        CatalogSnapshot once = CatalogSnapshot.EMPTY;
        for (int i = 0; i < 800; i++) {
            JournalRecord record = history.next(once);
            CatalogSnapshot after = record.apply(once);
            assertThat(record.apply(after)).as("step %s: %s", i, record).isEqualTo(after);
            once = after;
        }
    }

    @Test
    void imageAndTheRecordsAfterItGiveTheSameCatalog() {
        RandomHistory history = new RandomHistory(SEED);
        CatalogSnapshot live = CatalogSnapshot.EMPTY;
        List<JournalRecord> records = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            JournalRecord record = history.next(live);
            records.add(record);
            live = record.apply(live);
            if (i % 97 == 0) {
                Path file = directory.resolve("image" + i);
                Image.write(live, file);
                CatalogSnapshot read = Image.read(file);
                assertThat(read.databases()).as("step %s", i).isEqualTo(live.databases());
                assertThat(read.transactions()).as("step %s", i).isEqualTo(live.transactions());
                assertThat(read).as("step %s", i).isEqualTo(live);
            }
        }
        CatalogSnapshot half = CatalogSnapshot.EMPTY;
        for (JournalRecord record : records.subList(0, 300)) {
            half = record.apply(half);
        }
        Path file = directory.resolve("half");
        Image.write(half, file);
        CatalogSnapshot restored = Image.read(file);
        for (JournalRecord record : records.subList(300, 600)) {
            restored = record.apply(restored);
        }
        assertThat(restored).isEqualTo(live);
    }

    @Test
    void damagedImagesAreRefused() throws IOException {
        Path file = directory.resolve("image");
        Image.write(new InitializeCluster(3, "t", "").apply(CatalogSnapshot.EMPTY), file);
        byte[] good = Files.readAllBytes(file);
        byte[] flipped = good.clone();
        flipped[good.length - 5] ^= 1;
        byte[] cut = Arrays.copyOf(good, good.length - 1);
        byte[] newer = new String(good, StandardCharsets.ISO_8859_1)
                .replace("THETIS-IMAGE 1", "THETIS-IMAGE 9")
                .getBytes(StandardCharsets.ISO_8859_1);
        for (byte[] bad : List.of(flipped, cut, newer, new byte[0], new byte[] {'x'})) {
            Files.write(file, bad);
            assertThatThrownBy(() -> Image.read(file))
                    .isInstanceOf(ThetisException.class)
                    .satisfies(failure ->
                            assertThat(((ThetisException) failure).code()).isEqualTo(ErrorCode.CORRUPTION));
        }
    }

    @Test
    void strangeRecordsAreRefused() {
        for (byte[] bad : List.of(new byte[0], new byte[] {0}, new byte[] {9, 9, '{', '}'}, new byte[] {0, 1, '{'})) {
            assertThatThrownBy(() -> RecordCodec.decode(bad))
                    .satisfies(failure ->
                            assertThat(((ThetisException) failure).code()).isEqualTo(ErrorCode.CORRUPTION));
        }
    }
}
