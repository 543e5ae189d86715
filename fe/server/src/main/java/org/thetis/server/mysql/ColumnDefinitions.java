// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.mysql;

import io.netty.buffer.ByteBuf;
import org.thetis.catalog.type.DataType;
import org.thetis.catalog.type.TypeId;
import org.thetis.query.result.ResultColumn;
import org.thetis.sql.expr.ColumnOrigin;

/** Column definition packets. */
final class ColumnDefinitions {
    private static final int FLOAT_DECIMALS = 31;

    private ColumnDefinitions() {}

    /** One definition; with `withDefault` in the form COM_FIELD_LIST answers, which ends in the default value. */
    static void write(ByteBuf out, ResultColumn column, boolean withDefault) {
        ColumnOrigin origin = column.origin();
        ProtocolBytes.writeLengthEncoded(out, "def");
        ProtocolBytes.writeLengthEncoded(out, origin == null ? "" : origin.database());
        ProtocolBytes.writeLengthEncoded(out, origin == null ? "" : origin.table());
        ProtocolBytes.writeLengthEncoded(out, origin == null ? "" : origin.table());
        ProtocolBytes.writeLengthEncoded(out, column.name());
        ProtocolBytes.writeLengthEncoded(out, origin == null ? "" : origin.column());
        writeType(out, column.type());
        if (withDefault) {
            ProtocolBytes.writeLengthEncoded(out, "");
        }
    }

    /** The definition of a placeholder: `$n`, always text. */
    static void writeParameter(ByteBuf out, int ordinal) {
        ProtocolBytes.writeLengthEncoded(out, "def");
        for (int i = 0; i < 3; i++) {
            ProtocolBytes.writeLengthEncoded(out, "");
        }
        ProtocolBytes.writeLengthEncoded(out, "$" + ordinal);
        ProtocolBytes.writeLengthEncoded(out, "");
        writeType(out, DataType.VARCHAR);
    }

    private static void writeType(ByteBuf out, DataType type) {
        out.writeByte(0x0C);
        out.writeShortLE(Greeting.CHARSET_UTF8);
        out.writeIntLE(length(type));
        out.writeByte(type.id().mysqlType());
        out.writeShortLE(0);
        out.writeByte(decimals(type));
        out.writeShortLE(0);
    }

    private static int length(DataType type) {
        if (type.id() == TypeId.DECIMAL) {
            return type.precision() + (type.scale() > 0 ? 2 : 1);
        }
        return type.id().mysqlLength();
    }

    private static int decimals(DataType type) {
        return switch (type.id()) {
            case FLOAT, DOUBLE -> FLOAT_DECIMALS;
            case DECIMAL, DATETIME, TIME -> type.scale();
            default -> 0;
        };
    }
}
