// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.TooLongFrameException;
import org.junit.jupiter.api.Test;

/** Packets out of byte streams. */
class PacketDecoderTest {
    @Test
    void packetsAreCutWhereverTheStreamIsSplit() {
        byte[] bytes = {3, 0, 0, 0, 'a', 'b', 'c', 1, 0, 0, 0, 'd'};
        for (int cut = 1; cut < bytes.length; cut++) {
            EmbeddedChannel channel = new EmbeddedChannel(new PacketDecoder());
            channel.writeInbound(Unpooled.copiedBuffer(bytes, 0, cut));
            channel.writeInbound(Unpooled.copiedBuffer(bytes, cut, bytes.length - cut));
            Packet first = channel.readInbound();
            Packet second = channel.readInbound();
            assertThat(first.payload().toString(java.nio.charset.StandardCharsets.US_ASCII))
                    .isEqualTo("abc");
            assertThat(second.payload().toString(java.nio.charset.StandardCharsets.US_ASCII))
                    .isEqualTo("d");
            first.payload().release();
            second.payload().release();
            channel.finishAndReleaseAll();
        }
    }

    @Test
    void partsOf16MegabytesAreJoinedEvenWhenTheLastIsEmpty() {
        PacketDecoder decoder = new PacketDecoder();
        decoder.allow(1 << 26);
        EmbeddedChannel channel = new EmbeddedChannel(decoder);
        ByteBuf part = Unpooled.buffer();
        part.writeMediumLE(PacketDecoder.MAX_PART).writeByte(0).writeZero(PacketDecoder.MAX_PART);
        channel.writeInbound(part);
        Packet early = channel.readInbound();
        assertThat(early).isNull();
        channel.writeInbound(Unpooled.wrappedBuffer(new byte[] {0, 0, 0, 1}));
        Packet whole = channel.readInbound();
        assertThat(whole.payload().readableBytes()).isEqualTo(PacketDecoder.MAX_PART);
        assertThat(whole.sequence()).isEqualTo(1);
        whole.payload().release();
        channel.finishAndReleaseAll();
    }

    @Test
    void oversizedPacketsAreRefusedByTheirAnnouncedLength() {
        EmbeddedChannel channel = new EmbeddedChannel(new PacketDecoder());
        assertThatThrownBy(() ->
                        channel.writeInbound(Unpooled.wrappedBuffer(new byte[] {(byte) 0xFF, (byte) 0xFF, 0x7F, 0})))
                .isInstanceOf(TooLongFrameException.class);
        channel.finishAndReleaseAll();
    }
}
