// SPDX-License-Identifier: Apache-2.0
package org.thetis.wire.lookup;

import io.netty.buffer.ByteBuf;
import org.thetis.wire.proto.RpcMeta;
import org.thetis.wire.proto.RpcRequestMeta;

/** Frames of look-up calls: "PRPC", body size, meta size, meta, message (baidu_rpc.proto). */
final class LookupFrames {
    static final int HEADER_BYTES = 12;
    static final int MAGIC = 0x50525043;
    private static final int CORRELATION_ID = 4 << 3;

    /** The part of every meta that never changes: which service and method is called. */
    private static final byte[] META_HEAD = RpcMeta.newBuilder()
            .setRequest(RpcRequestMeta.newBuilder()
                    .setServiceName("thetis.pb.LookupService")
                    .setMethodName("Lookup"))
            .build()
            .toByteArray();

    private LookupFrames() {}

    /** Bytes of a call's frame. */
    static int size(long correlationId, LookupBody body, boolean withPlan) {
        return HEADER_BYTES + metaSize(correlationId) + body.size(withPlan);
    }

    /** Appends a call's frame; `frameBytes` is what {@link #size} said. */
    static void write(ByteBuf out, long correlationId, LookupBody body, boolean withPlan, int frameBytes) {
        out.ensureWritable(frameBytes);
        out.writeInt(MAGIC).writeInt(frameBytes - HEADER_BYTES).writeInt(metaSize(correlationId));
        out.writeBytes(META_HEAD).writeByte(CORRELATION_ID);
        Varints.write(out, correlationId);
        body.write(out, withPlan);
    }

    private static int metaSize(long correlationId) {
        return META_HEAD.length + 1 + Varints.size(correlationId);
    }
}
