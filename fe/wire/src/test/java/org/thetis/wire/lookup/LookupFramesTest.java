// SPDX-License-Identifier: Apache-2.0
package org.thetis.wire.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.thetis.base.error.ErrorCode;
import org.thetis.wire.proto.LookupReply;
import org.thetis.wire.proto.LookupRequest;
import org.thetis.wire.proto.RpcMeta;
import org.thetis.wire.proto.RpcResponseMeta;
import org.thetis.wire.proto.TabletKeys;

/** The frames written and read by hand against protobuf's own classes. */
class LookupFramesTest {
    private static final long SEED = 20_260_101;

    @Test
    void requestsAreWhatProtobufReads() throws Exception {
        Random random = new Random(SEED);
        FrameBytes scratch = new FrameBytes();
        for (int round = 0; round < 2000; round++) {
            LookupRequest request = randomRequest(random);
            LookupBody body = body(request);
            boolean withPlan = random.nextBoolean();
            long id = random.nextLong() >>> random.nextInt(1, 64);
            int size = LookupFrames.size(id, body, withPlan);
            ByteBuf out = Unpooled.buffer();
            LookupFrames.write(out, scratch, id, body, withPlan, size);
            assertThat(out.readableBytes()).isEqualTo(size);
            assertThat(out.readInt()).isEqualTo(LookupFrames.MAGIC);
            assertThat(out.readInt()).isEqualTo(size - LookupFrames.HEADER_BYTES);
            int metaBytes = out.readInt();
            RpcMeta meta = RpcMeta.parseFrom(bytes(out, metaBytes));
            assertThat(meta.getRequest().getServiceName()).isEqualTo("thetis.pb.LookupService");
            assertThat(meta.getRequest().getMethodName()).isEqualTo("Lookup");
            assertThat(meta.getCorrelationId()).isEqualTo(id);
            assertThat(meta.getAttachmentSize()).isZero();
            assertThat(LookupRequest.parseFrom(bytes(out, out.readableBytes())))
                    .isEqualTo(
                            withPlan ? request : request.toBuilder().clearPlan().build());
        }
    }

    @Test
    void repliesAreReadAsProtobufWroteThem() {
        Random random = new Random(SEED + 1);
        LookupReplyHead head = new LookupReplyHead();
        for (int round = 0; round < 2000; round++) {
            LookupReply reply = LookupReply.newBuilder()
                    .setCode(random.nextInt(3) == 0 ? random.nextInt() : 0)
                    .setMessage(random.nextBoolean() ? "" : "grün " + random.nextInt())
                    .setNeedsPlan(random.nextBoolean())
                    .setNumRows(random.nextInt(1 << 20))
                    .setRowCacheHits(random.nextInt(1 << 20))
                    .build();
            byte[] rows = new byte[random.nextInt(100)];
            random.nextBytes(rows);
            RpcMeta.Builder meta = RpcMeta.newBuilder().setCorrelationId(random.nextLong());
            if (rows.length > 0) {
                meta.setAttachmentSize(rows.length);
            }
            if (random.nextBoolean()) {
                meta.setResponse(RpcResponseMeta.newBuilder().setErrorCode(0));
            }
            ByteBuf frame = frame(meta.build(), reply.toByteArray(), rows);
            int metaBytes = frame.getInt(8);
            frame.skipBytes(LookupFrames.HEADER_BYTES);
            head.read(frame, metaBytes);
            assertThat(head.correlationId()).isEqualTo(meta.getCorrelationId());
            assertThat(head.code()).isEqualTo(reply.getCode());
            assertThat(head.message()).isEqualTo(reply.getMessage());
            assertThat(head.needsPlan()).isEqualTo(reply.getNeedsPlan());
            assertThat(head.numRows()).isEqualTo(reply.getNumRows());
            assertThat(head.rowCacheHits()).isEqualTo(reply.getRowCacheHits());
            assertThat(bytes(frame, frame.readableBytes())).isEqualTo(rows);
        }
    }

    @Test
    void failuresOfTheTransportAreRpcErrors() {
        RpcMeta meta = RpcMeta.newBuilder()
                .setCorrelationId(7)
                .setResponse(RpcResponseMeta.newBuilder().setErrorCode(1001).setErrorText("no such service"))
                .build();
        LookupReplyHead head = new LookupReplyHead();
        ByteBuf frame = frame(meta, new byte[0], new byte[0]);
        int metaBytes = frame.getInt(8);
        frame.skipBytes(LookupFrames.HEADER_BYTES);
        head.read(frame, metaBytes);
        assertThat(head.code()).isEqualTo(ErrorCode.RPC_ERROR.number());
        assertThat(head.message()).isEqualTo("no such service");
    }

    @Test
    void bytesThatAreNoReplyNeverReachPastTheFrame() {
        Random random = new Random(SEED + 2);
        LookupReplyHead head = new LookupReplyHead();
        byte[] good = LookupReply.newBuilder()
                .setMessage("text")
                .setNumRows(3)
                .build()
                .toByteArray();
        RpcMeta meta =
                RpcMeta.newBuilder().setCorrelationId(5).setAttachmentSize(2).build();
        int refused = 0;
        for (int round = 0; round < 50_000; round++) {
            ByteBuf frame = frame(meta, good, new byte[] {1, 2});
            int metaBytes = frame.getInt(8);
            for (int change = 0; change <= random.nextInt(3); change++) {
                frame.setByte(
                        random.nextInt(LookupFrames.HEADER_BYTES, frame.writerIndex()), (byte) random.nextInt(256));
            }
            int end = frame.writerIndex();
            frame.skipBytes(LookupFrames.HEADER_BYTES);
            try {
                head.read(frame, metaBytes);
                assertThat(frame.writerIndex()).isEqualTo(end);
                assertThat(frame.readableBytes()).isBetween(0, end - LookupFrames.HEADER_BYTES);
            } catch (IndexOutOfBoundsException malformed) {
                refused++;
            }
        }
        assertThat(refused).isPositive();
    }

    @Test
    void numbersOfMoreThanTenBytesAreRefused() {
        ByteBuf in = Unpooled.buffer().writeZero(0);
        for (int i = 0; i < 11; i++) {
            in.writeByte(0xFF);
        }
        assertThatThrownBy(() -> Varints.read(in)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void knownPlansForgetsAllWhenFullAndFindsWhatItHas() {
        KnownPlans plans = new KnownPlans();
        for (long i = 0; i < 10_000; i++) {
            assertThat(plans.contains(i, i * 31)).isFalse();
            plans.add(i, i * 31);
            assertThat(plans.contains(i, i * 31)).isTrue();
        }
        assertThat(plans.contains(5, 155)).isTrue();
        for (long i = 10_000; i < 100_000; i++) {
            plans.add(i, i);
        }
        assertThat(plans.contains(5, 155)).isFalse();
        plans.clear();
        assertThat(plans.contains(99_999, 99_999)).isFalse();
    }

    private static LookupRequest randomRequest(Random random) {
        LookupRequest.Builder request = LookupRequest.newBuilder()
                .setPlanIdHigh(random.nextLong())
                .setPlanIdLow(random.nextLong())
                .setPlan(ByteString.copyFrom(randomBytes(random, 2000)))
                .setBinaryRows(random.nextBoolean())
                .setParameters(ByteString.copyFrom(randomBytes(random, 40)));
        for (int i = random.nextInt(4); i > 0; i--) {
            TabletKeys.Builder tablet = TabletKeys.newBuilder()
                    .setTabletId(random.nextLong())
                    .setVersion(random.nextLong() >>> random.nextInt(1, 64));
            for (int k = random.nextInt(4); k > 0; k--) {
                tablet.addKeys(ByteString.copyFrom(randomBytes(random, 300)));
            }
            request.addTablets(tablet);
        }
        return request.build();
    }

    private static LookupBody body(LookupRequest request) {
        List<KeysOfTablet> tablets = new ArrayList<>();
        for (TabletKeys tablet : request.getTabletsList()) {
            tablets.add(new KeysOfTablet(
                    tablet.getTabletId(),
                    tablet.getVersion(),
                    tablet.getKeysList().stream().map(ByteString::toByteArray).toList()));
        }
        return new LookupBody(
                request.getPlanIdHigh(),
                request.getPlanIdLow(),
                request.getPlan().toByteArray(),
                request.getBinaryRows(),
                tablets,
                request.getParameters().toByteArray());
    }

    private static byte[] randomBytes(Random random, int max) {
        byte[] bytes = new byte[random.nextInt(max)];
        random.nextBytes(bytes);
        return bytes;
    }

    private static ByteBuf frame(RpcMeta meta, byte[] message, byte[] attachment) {
        byte[] head = meta.toByteArray();
        return Unpooled.buffer()
                .writeInt(LookupFrames.MAGIC)
                .writeInt(head.length + message.length + attachment.length)
                .writeInt(head.length)
                .writeBytes(head)
                .writeBytes(message)
                .writeBytes(attachment);
    }

    private static byte[] bytes(ByteBuf in, int length) {
        byte[] bytes = new byte[length];
        in.readBytes(bytes);
        return bytes;
    }
}
