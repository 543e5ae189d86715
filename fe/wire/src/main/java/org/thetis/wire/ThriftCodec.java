// SPDX-License-Identifier: Apache-2.0
package org.thetis.wire;

import java.util.Arrays;
import org.apache.thrift.TBase;
import org.apache.thrift.TConfiguration;
import org.apache.thrift.TDeserializer;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.transport.AutoExpandingBufferWriteTransport;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;

/** Thrift structs as compact-protocol bytes, the form plans have inside protobuf envelopes. */
public final class ThriftCodec {
    /** Room that most plans fit into. */
    private static final int FIRST_BYTES = 4096;

    private ThriftCodec() {}

    public static byte[] write(TBase<?, ?> struct) {
        try {
            var bytes = new AutoExpandingBufferWriteTransport(new TConfiguration(), FIRST_BYTES, 0);
            struct.write(new TCompactProtocol(bytes));
            return Arrays.copyOf(bytes.getBuf().array(), bytes.getLength());
        } catch (TException failure) {
            throw new ThetisException(
                    ErrorCode.INTERNAL,
                    "cannot encode " + struct.getClass().getSimpleName() + ": " + failure.getMessage());
        }
    }

    /** Fills an empty struct from bytes and returns it. */
    public static <T extends TBase<?, ?>> T read(byte[] bytes, T empty) {
        try {
            new TDeserializer(new TCompactProtocol.Factory()).deserialize(empty, bytes);
            return empty;
        } catch (TException failure) {
            throw new ThetisException(
                    ErrorCode.CORRUPTION,
                    "cannot decode " + empty.getClass().getSimpleName() + ": " + failure.getMessage());
        }
    }
}
