// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.testing;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Just enough of a MySQL client to send what a driver would not; checks the sequence numbers of all replies. */
public final class RawMysql implements AutoCloseable {
    private final Socket socket;
    private final DataInputStream in;
    private int expected;

    /** Logs in as root. */
    public RawMysql(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(20_000);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        expected = 0;
        readPacket();
        byte[] payload = new byte[32 + 5 + 1];
        payload[1] = (byte) 0x82;
        System.arraycopy("root".getBytes(StandardCharsets.US_ASCII), 0, payload, 32, 4);
        send(payload, 1);
        expected = 2;
        if (readPacket()[0] != 0) {
            throw new IOException("login refused");
        }
    }

    public byte[] readPacket() throws IOException {
        int length = in.readUnsignedByte() | in.readUnsignedByte() << 8 | in.readUnsignedByte() << 16;
        int sequence = in.readUnsignedByte();
        if (sequence != (expected & 0xFF)) {
            throw new IOException("packet " + sequence + " where " + (expected & 0xFF) + " is due");
        }
        expected++;
        byte[] payload = new byte[length];
        in.readFully(payload);
        return payload;
    }

    /** Sends a command; the reply begins with packet 1. */
    public void command(byte[] payload) throws IOException {
        send(payload, 0);
        expected = 1;
    }

    /** Prepares a statement; gives its number. */
    public int prepare(String sql) throws IOException {
        byte[] text = sql.getBytes(StandardCharsets.UTF_8);
        command(ByteBuffer.allocate(text.length + 1).put((byte) 0x16).put(text).array());
        ByteBuffer reply = ByteBuffer.wrap(readPacket()).order(ByteOrder.LITTLE_ENDIAN);
        if (reply.get() != 0) {
            throw new IOException("not prepared");
        }
        int id = reply.getInt();
        reply.getShort();
        int parameters = reply.getShort();
        for (int i = 0; i < (parameters == 0 ? 0 : parameters + 1); i++) {
            readPacket();
        }
        return id;
    }

    /** COM_STMT_EXECUTE with these bytes behind the iteration count. */
    public static byte[] execute(int id, int flags, byte[] rest) {
        return ByteBuffer.allocate(10 + rest.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) 0x17)
                .putInt(id)
                .put((byte) flags)
                .putInt(1)
                .put(rest)
                .array();
    }

    /** No NULL, type LONGLONG, one value. */
    public static byte[] oneBigint(long value) {
        return ByteBuffer.allocate(12)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) 0)
                .put((byte) 1)
                .putShort((short) 8)
                .putLong(value)
                .array();
    }

    /** The reply to a command: "ERR code message", "OK", or the rows of a result set as their raw bytes. */
    public List<String> reply() throws IOException {
        byte[] first = readPacket();
        if ((first[0] & 0xFF) == 0xFF) {
            int code = first[1] & 0xFF | (first[2] & 0xFF) << 8;
            return List.of("ERR " + code + " " + new String(first, 9, first.length - 9, StandardCharsets.UTF_8));
        }
        if (first[0] == 0) {
            return List.of("OK");
        }
        for (int i = 0; i <= first[0]; i++) {
            readPacket();
        }
        List<String> rows = new ArrayList<>();
        while (true) {
            byte[] row = readPacket();
            if ((row[0] & 0xFF) == 0xFE && row.length < 9) {
                return rows;
            }
            if ((row[0] & 0xFF) == 0xFF) {
                throw new IOException("an error among rows");
            }
            rows.add(new String(row, StandardCharsets.ISO_8859_1));
        }
    }

    /** Several commands in one write. */
    public void burst(List<byte[]> payloads) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] payload : payloads) {
            all.writeBytes(header(payload.length, 0));
            all.writeBytes(payload);
        }
        socket.getOutputStream().write(all.toByteArray());
    }

    /** The next reply of a burst begins. */
    public void nextReply() {
        expected = 1;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private void send(byte[] payload, int sequence) throws IOException {
        ByteArrayOutputStream packet = new ByteArrayOutputStream();
        packet.writeBytes(header(payload.length, sequence));
        packet.writeBytes(payload);
        socket.getOutputStream().write(packet.toByteArray());
    }

    private static byte[] header(int length, int sequence) {
        return new byte[] {(byte) length, (byte) (length >>> 8), (byte) (length >>> 16), (byte) sequence};
    }
}
