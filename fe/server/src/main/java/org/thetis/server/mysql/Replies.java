// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.mysql;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.thetis.base.error.ThetisException;

/** The generic reply packets: OK, ERR and EOF. */
final class Replies {
    static final int MORE_RESULTS = 0x0008;
    private static final int GENERIC = 1105;
    private static final int AUTOCOMMIT = 0x0002;

    private Replies() {}

    static void ok(ByteBuf out, long affectedRows, int warnings, String text, boolean moreResults) {
        out.writeByte(0x00);
        ProtocolBytes.writeLengthEncoded(out, affectedRows);
        ProtocolBytes.writeLengthEncoded(out, 0);
        out.writeShortLE(status(moreResults));
        out.writeShortLE(Math.min(warnings, 0xFFFF));
        if (!text.isEmpty()) {
            ProtocolBytes.writeLengthEncoded(out, text);
        }
    }

    static void eof(ByteBuf out, boolean moreResults) {
        out.writeByte(0xFE).writeShortLE(0).writeShortLE(status(moreResults));
    }

    static void error(ByteBuf out, ThetisException failure) {
        String text = ClientErrorText.of(failure);
        int code = failure.code().mysqlCode();
        error(out, isClientOwn(code) ? GENERIC : code, failure.code().sqlState(), text);
    }

    static void error(ByteBuf out, int code, String sqlState, String text) {
        out.writeByte(0xFF).writeShortLE(code).writeByte('#');
        out.writeBytes(sqlState.getBytes(StandardCharsets.US_ASCII));
        out.writeBytes((text.isEmpty() ? "Unknown error" : text).getBytes(StandardCharsets.UTF_8));
    }

    /** Numbers that libmariadb keeps for itself: it shows "malformed packet" in place of the server's message. */
    private static boolean isClientOwn(int code) {
        return (code >= 2000 && code < 3000) || (code >= 5000 && code < 6000);
    }

    private static int status(boolean moreResults) {
        return AUTOCOMMIT | (moreResults ? MORE_RESULTS : 0);
    }
}
