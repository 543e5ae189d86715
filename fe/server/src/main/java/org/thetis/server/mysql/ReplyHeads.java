// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.mysql;

import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.thetis.query.result.ResultColumn;
import org.thetis.sql.lower.OutputColumn;
import org.thetis.sql.point.PointPlan;

/**
 * What a result begins with, encoded once per plan: column count, definitions and EOF as framed packets. Their sequence numbers can
 * be in them because a reply to a command always begins with 1. Thread-safe.
 */
final class ReplyHeads {
    private final LoadingCache<PointPlan, byte[]> heads =
            CacheBuilder.newBuilder().weakKeys().build(CacheLoader.from(ReplyHeads::encode));

    byte[] of(PointPlan plan) {
        return heads.getUnchecked(plan);
    }

    /** The sequence number of the packet behind the head. */
    static int nextSequence(PointPlan plan) {
        return plan.outputs().size() + 3 & 0xFF;
    }

    private static byte[] encode(PointPlan plan) {
        ByteBuf out = Unpooled.buffer(1024);
        int sequence = 1;
        int start = begin(out);
        ProtocolBytes.writeLengthEncoded(out, plan.outputs().size());
        end(out, start, sequence++);
        for (OutputColumn column : plan.outputs()) {
            start = begin(out);
            ColumnDefinitions.write(out, new ResultColumn(column.name(), column.type(), column.origin()), false);
            end(out, start, sequence++);
        }
        start = begin(out);
        Replies.eof(out, false);
        end(out, start, sequence);
        byte[] bytes = new byte[out.readableBytes()];
        out.readBytes(bytes);
        return bytes;
    }

    private static int begin(ByteBuf out) {
        int start = out.writerIndex();
        out.writeZero(PacketWriter.HEADER);
        return start;
    }

    private static void end(ByteBuf out, int start, int sequence) {
        out.setMediumLE(start, out.writerIndex() - start - PacketWriter.HEADER);
        out.setByte(start + PacketWriter.HEADER - 1, sequence);
    }
}
