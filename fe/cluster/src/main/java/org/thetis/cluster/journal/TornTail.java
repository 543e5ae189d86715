// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the part of a record that a crash left at the end of the open log segment. Ratis fills segments with zeros ahead and
 * refuses to open one whose last record is cut short, though such a record was never acknowledged. A damaged record with
 * anything behind it is left for Ratis to refuse: cutting there would lose what was acknowledged.
 *
 * <pre>
 * segment: "RaftLog1" { varint length | entry | crc32c of both, big endian }* zeros
 * </pre>
 */
final class TornTail {
    private static final Logger LOG = LoggerFactory.getLogger(TornTail.class);
    private static final int HEADER_BYTES = 8;
    private static final int CHECKSUM_BYTES = 4;

    private TornTail() {}

    /** Repairs the open segment in a Raft `current` directory, if there is one and it needs it. */
    static void repair(Path current) throws IOException {
        List<Path> open;
        try (var paths = Files.list(current)) {
            open = paths.filter(path -> path.getFileName().toString().startsWith("log_inprogress_"))
                    .toList();
        }
        for (Path segment : open) {
            byte[] content = Files.readAllBytes(segment);
            int end = endOfWholeRecords(content);
            int last = lastNonZero(content);
            if (end >= HEADER_BYTES && last >= end && isOneTornRecord(content, end, last)) {
                LOG.warn(
                        "A record cut short by a crash was removed: segment={} position={} bytes={}",
                        segment,
                        end,
                        last + 1 - end);
                zero(segment, end, content.length);
            }
        }
    }

    /** Position behind the last record whose checksum is right. */
    private static int endOfWholeRecords(byte[] content) {
        int position = HEADER_BYTES;
        while (true) {
            long size = recordBytes(content, position);
            if (size <= 0 || position + size > content.length) {
                return Math.min(position, content.length);
            }
            int body = (int) size - CHECKSUM_BYTES;
            CRC32C checksum = new CRC32C();
            checksum.update(content, position, body);
            if ((int) checksum.getValue() != ByteBuffer.wrap(content).getInt(position + body)) {
                return position;
            }
            position += (int) size;
        }
    }

    /** Bytes of the record that starts here as its length says, checksum included; 0 where there is no record. */
    private static long recordBytes(byte[] content, int position) {
        long length = 0;
        for (int i = 0; i < 5 && position + i < content.length; i++) {
            length |= (long) (content[position + i] & 0x7f) << (7 * i);
            if (content[position + i] >= 0) {
                return length == 0 ? 0 : i + 1 + length + CHECKSUM_BYTES;
            }
        }
        return 0;
    }

    private static int lastNonZero(byte[] content) {
        int last = content.length - 1;
        while (last >= 0 && content[last] == 0) {
            last--;
        }
        return last;
    }

    /** Whether all that follows the whole records lies within the one record that starts there. */
    private static boolean isOneTornRecord(byte[] content, int start, int last) {
        long size = recordBytes(content, start);
        return size == 0 ? last < start + 5 : last < start + size;
    }

    private static void zero(Path segment, int from, int to) throws IOException {
        try (FileChannel channel = FileChannel.open(segment, StandardOpenOption.WRITE)) {
            ByteBuffer zeros = ByteBuffer.allocate(to - from);
            long position = from;
            while (zeros.hasRemaining()) {
                position += channel.write(zeros, position);
            }
            channel.force(true);
        }
    }
}
