// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.mysql;

import com.google.protobuf.ByteString;
import io.netty.buffer.ByteBuf;

/** What a client says of itself after the greeting. The user is cut at its last '#', behind which clients put a cluster hint. */
record LoginRequest(int capabilities, String user, ByteString authResponse, String database, String plugin) {
    private static final int FIXED_BYTES = 32;

    static LoginRequest read(ByteBuf in) {
        int low = ProtocolBytes.readUnsignedShort(in);
        if (!Capability.has(low, Capability.PROTOCOL_41)) {
            return new LoginRequest(low, "", ByteString.EMPTY, "", "");
        }
        ProtocolBytes.need(in, FIXED_BYTES - 2);
        int capabilities = low | in.readUnsignedShortLE() << 16;
        in.skipBytes(FIXED_BYTES - 4);
        if (Capability.has(capabilities, Capability.SSL) && !in.isReadable()) {
            // An SSLRequest although the greeting does not offer TLS: the client must not go on in clear text.
            throw ProtocolBytes.malformed();
        }
        String user = ProtocolBytes.readNulTerminated(in);
        ByteString response = ByteString.copyFrom(authResponse(in, capabilities));
        String database =
                Capability.has(capabilities, Capability.CONNECT_WITH_DB) ? ProtocolBytes.readNulTerminated(in) : "";
        String plugin = Capability.has(capabilities, Capability.PLUGIN_AUTH) ? ProtocolBytes.readNulTerminated(in) : "";
        return new LoginRequest(capabilities, cut(user), response, database, plugin);
    }

    boolean speaksProtocol41() {
        return Capability.has(capabilities, Capability.PROTOCOL_41);
    }

    static String cut(String user) {
        int hint = user.lastIndexOf('#');
        return hint >= 0 ? user.substring(0, hint) : user;
    }

    private static byte[] authResponse(ByteBuf in, int capabilities) {
        if (Capability.has(capabilities, Capability.PLUGIN_AUTH_LENGTH_ENCODED)) {
            return ProtocolBytes.readLengthEncodedBytes(in);
        }
        if (Capability.has(capabilities, Capability.SECURE_CONNECTION)) {
            return ProtocolBytes.readBytes(in, ProtocolBytes.readUnsignedByte(in));
        }
        int length = in.bytesBefore((byte) 0);
        byte[] response = ProtocolBytes.readBytes(in, length < 0 ? in.readableBytes() : length);
        if (length >= 0) {
            in.skipBytes(1);
        }
        return response;
    }
}
