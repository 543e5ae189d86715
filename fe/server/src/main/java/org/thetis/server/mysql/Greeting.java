// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.mysql;

import io.netty.buffer.ByteBuf;

/** The first packets from the server: handshake v10 and the switch to native passwords. */
final class Greeting {
    static final String SERVER_VERSION = "5.7.99";
    static final String NATIVE_PASSWORD = "mysql_native_password";
    static final int SCRAMBLE_BYTES = 20;
    static final int CHARSET_UTF8 = 33;
    private static final int SCRAMBLE_FIRST_PART = 8;

    private Greeting() {}

    static void write(ByteBuf out, long connectionId, byte[] scramble) {
        out.writeByte(10);
        ProtocolBytes.writeNulTerminated(out, SERVER_VERSION);
        out.writeIntLE((int) connectionId);
        out.writeBytes(scramble, 0, SCRAMBLE_FIRST_PART).writeByte(0);
        out.writeShortLE(Capability.OFFERED & 0xFFFF);
        out.writeByte(CHARSET_UTF8);
        out.writeShortLE(0);
        out.writeShortLE(Capability.OFFERED >>> 16);
        out.writeByte(SCRAMBLE_BYTES + 1);
        out.writeZero(10);
        out.writeBytes(scramble, SCRAMBLE_FIRST_PART, SCRAMBLE_BYTES - SCRAMBLE_FIRST_PART)
                .writeByte(0);
        ProtocolBytes.writeNulTerminated(out, NATIVE_PASSWORD);
    }

    /** Asks a client that named another plugin to answer the same scramble with a native password. */
    static void writeAuthSwitch(ByteBuf out, byte[] scramble) {
        out.writeByte(0xFE);
        ProtocolBytes.writeNulTerminated(out, NATIVE_PASSWORD);
        out.writeBytes(scramble).writeByte(0);
    }
}
