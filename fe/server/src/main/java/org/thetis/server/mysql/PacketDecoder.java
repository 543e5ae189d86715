// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.mysql;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.CorruptedFrameException;
import io.netty.handler.codec.TooLongFrameException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the byte stream into packets: 3-byte little-endian length, 1-byte sequence, payload. A payload of 0xFFFFFF bytes
 * continues in the next packet. Memory is bounded by the limit, which is small until the client has logged in.
 */
final class PacketDecoder extends ByteToMessageDecoder {
    static final int MAX_PART = 0xFFFFFF;
    private static final int HEADER = 4;
    private static final int LIMIT_BEFORE_LOGIN = 1 << 20;

    private long limit = LIMIT_BEFORE_LOGIN;
    private long collected;
    private int first;
    private int next;
    private @Nullable CompositeByteBuf parts;

    /** Raises the limit once the client is known. Called on the event loop. */
    void allow(long maxPacketBytes) {
        limit = maxPacketBytes;
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (in.readableBytes() < HEADER) {
            return;
        }
        int start = in.readerIndex();
        int length = in.getUnsignedMediumLE(start);
        int sequence = in.getUnsignedByte(start + 3);
        // Judged by the announced length, before anything of that size is buffered.
        if (collected + length > limit) {
            in.skipBytes(in.readableBytes());
            dropParts();
            throw new TooLongFrameException("packet of more than " + limit + " bytes");
        }
        if (in.readableBytes() < HEADER + length) {
            return;
        }
        if (parts == null) {
            first = sequence;
        } else if (sequence != next) {
            dropParts();
            throw new CorruptedFrameException("part " + sequence + " of a packet where part " + next + " is due");
        }
        next = (sequence + 1) & 0xFF;
        in.skipBytes(HEADER);
        ByteBuf part = in.readRetainedSlice(length);
        if (length == MAX_PART) {
            collect(context, part);
            return;
        }
        if (parts == null) {
            out.add(new Packet(first, sequence, part));
            return;
        }
        CompositeByteBuf whole = parts.addComponent(true, part);
        parts = null;
        collected = 0;
        out.add(new Packet(first, sequence, whole));
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext context) {
        dropParts();
    }

    private void collect(ChannelHandlerContext context, ByteBuf part) {
        if (parts == null) {
            parts = context.alloc().compositeBuffer(64);
        }
        parts.addComponent(true, part);
        collected += MAX_PART;
    }

    private void dropParts() {
        if (parts != null) {
            parts.release();
            parts = null;
        }
        collected = 0;
    }
}
