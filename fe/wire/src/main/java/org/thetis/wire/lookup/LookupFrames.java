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

    /** Appends a call's frame; `frameBytes` is what {@link #size} said, `scratch` is free again afterwards. */
    static void write(
            ByteBuf out, FrameBytes scratch, long correlationId, LookupBody body, boolean withPlan, int frameBytes) {
        scratch.begin(frameBytes);
        scratch.putIntBE(MAGIC);
        scratch.putIntBE(frameBytes - HEADER_BYTES);
        scratch.putIntBE(metaSize(correlationId));
        scratch.put(META_HEAD);
        scratch.putByte(CORRELATION_ID);
        scratch.putVarint(correlationId);
        body.write(scratch, withPlan);
        out.writeBytes(scratch.bytes(), 0, scratch.size());
    }

    private static int metaSize(long correlationId) {
        return META_HEAD.length + 1 + Varints.size(correlationId);
    }
}
