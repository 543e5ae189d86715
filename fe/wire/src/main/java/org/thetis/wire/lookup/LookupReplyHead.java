// SPDX-License-Identifier: Apache-2.0
package org.thetis.wire.lookup;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.thetis.base.error.ErrorCode;

/** A reply without its rows. One object serves all replies of a connection: read it before returning to the event loop. */
public final class LookupReplyHead {
    private static final int FIRST = 1;

    private long correlationId;
    private int attachmentBytes;
    private int code;
    private String message = "";
    private boolean needsPlan;
    private int numRows;
    private int rowCacheHits;

    /** 0, or a number of errors.toml. */
    public int code() {
        return code;
    }

    public String message() {
        return message;
    }

    boolean needsPlan() {
        return needsPlan;
    }

    public int numRows() {
        return numRows;
    }

    /** How many of the rows came from the back end's row cache. */
    public int rowCacheHits() {
        return rowCacheHits;
    }

    long correlationId() {
        return correlationId;
    }

    /**
     * Reads meta and message of a frame; the reader stands behind the twelve bytes and is left at the attachment, which is the rest.
     * Throws IndexOutOfBoundsException for anything malformed.
     */
    void read(ByteBuf frame, int metaBytes) {
        correlationId = 0;
        attachmentBytes = 0;
        code = 0;
        message = "";
        needsPlan = false;
        numRows = 0;
        rowCacheHits = 0;
        int end = frame.writerIndex();
        int metaEnd = frame.readerIndex() + metaBytes;
        frame.writerIndex(metaEnd);
        readMeta(frame);
        frame.writerIndex(end);
        if (attachmentBytes < 0 || attachmentBytes > frame.readableBytes()) {
            throw new IndexOutOfBoundsException("an attachment of " + attachmentBytes + " bytes");
        }
        frame.writerIndex(end - attachmentBytes);
        readMessage(frame);
        frame.writerIndex(end);
    }

    private void readMeta(ByteBuf in) {
        int transportCode = 0;
        String transportText = "";
        while (in.isReadable()) {
            int tag = (int) Varints.read(in);
            switch (tag) {
                case 2 << 3 | 2 -> {
                    int rest = in.writerIndex();
                    int length = Varints.readLength(in);
                    in.writerIndex(in.readerIndex() + length);
                    while (in.isReadable()) {
                        int inner = (int) Varints.read(in);
                        switch (inner) {
                            case FIRST << 3 -> transportCode = (int) Varints.read(in);
                            case 2 << 3 | 2 -> transportText = readText(in);
                            default -> Varints.skip(in, inner);
                        }
                    }
                    in.writerIndex(rest);
                }
                case 4 << 3 -> correlationId = Varints.read(in);
                case 5 << 3 -> attachmentBytes = (int) Varints.read(in);
                default -> Varints.skip(in, tag);
            }
        }
        if (transportCode != 0) {
            code = ErrorCode.RPC_ERROR.number();
            message = transportText.isEmpty() ? "error " + transportCode : transportText;
        }
    }

    private void readMessage(ByteBuf in) {
        while (in.isReadable()) {
            int tag = (int) Varints.read(in);
            switch (tag) {
                case FIRST << 3 -> code = (int) Varints.read(in);
                case 2 << 3 | 2 -> message = readText(in);
                case 3 << 3 -> needsPlan = Varints.read(in) != 0;
                case 4 << 3 -> numRows = (int) Varints.read(in);
                case 5 << 3 -> rowCacheHits = (int) Varints.read(in);
                default -> Varints.skip(in, tag);
            }
        }
    }

    private static String readText(ByteBuf in) {
        int length = Varints.readLength(in);
        return in.readCharSequence(length, StandardCharsets.UTF_8).toString();
    }
}
