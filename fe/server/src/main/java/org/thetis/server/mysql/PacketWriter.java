// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.mysql;

import com.google.protobuf.ByteString;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;

/**
 * Numbers and writes the packets of one connection. Used by one thread at a time: replies are serial and every hand-over
 * between threads passes through an executor or a serial callback.
 */
final class PacketWriter {
    static final int HEADER = 4;

    private final Channel channel;
    private int sequence;

    PacketWriter(Channel channel) {
        this.channel = channel;
    }

    /** The next packet answers one with this sequence number. */
    void answer(int received) {
        sequence = (received + 1) & 0xFF;
    }

    /** The sequence number the next packet gets, which is thereby taken. */
    int nextSequence() {
        int taken = sequence;
        sequence = (sequence + 1) & 0xFF;
        return taken;
    }

    ByteBuf allocate() {
        return channel.alloc().buffer(256);
    }

    /** Writes one payload, split into parts if needed, and takes it over. Not flushed. */
    void write(ByteBuf payload) {
        int length = payload.readableBytes();
        while (length >= PacketDecoder.MAX_PART) {
            writePart(payload.readRetainedSlice(PacketDecoder.MAX_PART));
            length -= PacketDecoder.MAX_PART;
        }
        writePart(payload);
    }

    void writeAndFlush(ByteBuf payload) {
        write(payload);
        channel.flush();
    }

    void flush() {
        channel.flush();
    }

    /** Relays framed packets whose sequence bytes are still zero; patches them on the way. Not flushed. */
    void relay(ByteString packets) {
        int length = packets.size();
        ByteBuf copy = channel.alloc().directBuffer(length, length);
        for (java.nio.ByteBuffer piece : packets.asReadOnlyByteBufferList()) {
            copy.writeBytes(piece);
        }
        int offset = 0;
        while (offset + HEADER <= length) {
            int payload = copy.getUnsignedMediumLE(offset);
            copy.setByte(offset + 3, nextSequence());
            offset += HEADER + payload;
        }
        if (offset != length) {
            copy.release();
            throw new IllegalArgumentException("result chunk ends inside a packet");
        }
        channel.write(copy, channel.voidPromise());
    }

    private void writePart(ByteBuf part) {
        ByteBuf header = channel.alloc().buffer(HEADER, HEADER);
        header.writeMediumLE(part.readableBytes()).writeByte(nextSequence());
        channel.write(header, channel.voidPromise());
        channel.write(part, channel.voidPromise());
    }
}
