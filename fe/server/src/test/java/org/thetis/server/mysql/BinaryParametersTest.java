// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.thetis.base.error.ThetisException;
import org.thetis.query.session.PreparedStatement;
import org.thetis.sql.ast.NoOperation;
import org.thetis.sql.expr.Literal;

/** The values of COM_STMT_EXECUTE, well formed and not. */
class BinaryParametersTest {
    /** Packets of the fuzz test; a million is the long run. */
    /** A million with -Dthetis.fuzz.packets=1000000. */
    private static final int PACKETS = Integer.getInteger("thetis.fuzz.packets", 50_000);

    private static final int[] TYPES = {
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 245, 246, 247, 248, 249, 250, 251, 252,
        253, 254, 255, 20, 99
    };

    @Test
    void randomAndMutatedPacketsAreValuesOrOneClearError() {
        Random random = new Random(4);
        UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
        int read = 0;
        int refused = 0;
        long heapAtFirst = 0;
        for (int i = 0; i < PACKETS; i++) {
            if (i == PACKETS / 10) {
                heapAtFirst = usedHeap();
            }
            int count = random.nextInt(12);
            PreparedStatement statement = statement(count);
            if (random.nextInt(4) == 0) {
                statement.rememberTypes(randomTypes(random, count));
            }
            ByteBuf packet = allocator.directBuffer();
            if (random.nextInt(4) == 0) {
                byte[] noise = new byte[random.nextInt(80)];
                random.nextBytes(noise);
                packet.writeBytes(noise);
            } else {
                write(packet, random, count);
                mutate(packet, random);
            }
            try {
                List<Literal> values = BinaryParameters.read(packet, statement);
                assertThat(values).hasSize(count);
                read++;
            } catch (ThetisException malformed) {
                assertThat(malformed.text()).isNotEmpty();
                refused++;
            } finally {
                packet.release();
            }
        }
        assertThat(read).isPositive();
        assertThat(refused).isPositive();
        assertThat(allocator.metric().usedDirectMemory()).isZero();
        assertThat(usedHeap() - heapAtFirst).isLessThan(8 << 20);
    }

    private static long usedHeap() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    @Test
    void decimalsThatWouldNotFitIntoMemoryAreRefused() {
        for (String hostile : List.of(
                "1e2147483647", "-1E+999999999", "1e-2147483647", "0e999999999", "9".repeat(1 << 20), ".".repeat(5))) {
            ByteBuf packet = UnpooledByteBufAllocator.DEFAULT.buffer();
            packet.writeByte(0).writeByte(1).writeShortLE(246);
            ProtocolBytes.writeLengthEncoded(packet, hostile.getBytes(StandardCharsets.US_ASCII));
            long begin = System.nanoTime();
            assertThatThrownBy(() -> BinaryParameters.read(packet, statement(1)))
                    .isInstanceOf(ThetisException.class)
                    .hasMessageContaining("not a decimal parameter");
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(2));
            packet.release();
        }
    }

    @Test
    void timesBeyondAllClocksAreRefused() {
        ByteBuf packet = UnpooledByteBufAllocator.DEFAULT.buffer();
        packet.writeByte(0).writeByte(1).writeShortLE(11);
        packet.writeByte(8)
                .writeByte(0)
                .writeIntLE(Integer.MAX_VALUE)
                .writeByte(0)
                .writeByte(0)
                .writeByte(0);
        assertThatThrownBy(() -> BinaryParameters.read(packet, statement(1)))
                .isInstanceOf(ThetisException.class)
                .hasMessageContaining("time");
        packet.release();
    }

    private static PreparedStatement statement(int count) {
        return new PreparedStatement(new NoOperation("test"), "test", count);
    }

    private static int[] randomTypes(Random random, int count) {
        int[] types = new int[count];
        for (int i = 0; i < count; i++) {
            types[i] = TYPES[random.nextInt(TYPES.length)] | (random.nextBoolean() ? 0x8000 : 0);
        }
        return types;
    }

    private static void write(ByteBuf out, Random random, int count) {
        if (count == 0) {
            return;
        }
        byte[] nulls = new byte[(count + 7) / 8];
        if (random.nextInt(3) == 0) {
            random.nextBytes(nulls);
        }
        out.writeBytes(nulls).writeByte(random.nextInt(10) == 0 ? 0 : 1);
        int[] types = randomTypes(random, count);
        for (int type : types) {
            out.writeShortLE(type);
        }
        for (int type : types) {
            switch (type & 0xFF) {
                case 1 -> out.writeByte(random.nextInt());
                case 2, 13 -> out.writeShortLE(random.nextInt());
                case 3, 4, 9 -> out.writeIntLE(random.nextInt());
                case 5, 8 -> out.writeLongLE(random.nextLong());
                case 7, 10, 12, 14, 17, 18 -> {
                    int length = new int[] {0, 4, 7, 11}[random.nextInt(4)];
                    out.writeByte(length);
                    ByteBuf value = out.alloc().buffer(16);
                    value.writeShortLE(random.nextInt(1, 9999))
                            .writeByte(random.nextInt(1, 13))
                            .writeByte(random.nextInt(1, 29))
                            .writeByte(random.nextInt(24))
                            .writeByte(random.nextInt(60))
                            .writeByte(random.nextInt(60))
                            .writeIntLE(random.nextInt(1_000_000));
                    out.writeBytes(value, length);
                    value.release();
                }
                case 11, 19 -> out.writeByte(0);
                default -> {
                    String number = random.nextInt(8) == 0
                            ? random.nextInt() + "e" + random.nextInt()
                            : Integer.toString(random.nextInt());
                    byte[] text = number.getBytes(StandardCharsets.US_ASCII);
                    ProtocolBytes.writeLengthEncoded(out, text);
                }
            }
        }
    }

    private static void mutate(ByteBuf packet, Random random) {
        int size = packet.readableBytes();
        if (size == 0) {
            return;
        }
        switch (random.nextInt(4)) {
            case 0 -> packet.writerIndex(random.nextInt(size));
            case 1 -> packet.setByte(random.nextInt(size), random.nextInt());
            case 2 -> packet.writeZero(random.nextInt(8));
            default -> {}
        }
    }
}
