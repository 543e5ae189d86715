// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.type;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.wire.thrift.Literal;

/** Values of scalar types as literals on the wire. */
public final class LiteralCodec {
    private LiteralCodec() {}

    /** Text of CHAR, VARCHAR, STRING or JSON. */
    public static Literal of(String text) {
        return new Literal(false).setBytes_value(text.getBytes(StandardCharsets.UTF_8));
    }

    /** An integer, BOOLEAN, DATE (days), DATETIME (microseconds) or unscaled DECIMAL. */
    public static Literal of(DataType type, BigInteger number) {
        Literal literal = new Literal(false);
        return type.physical() == TypeId.Physical.INT128
                ? literal.setInt128_value(littleEndian(number))
                : literal.setInt_value(number.longValueExact());
    }

    /** Parses a DEFAULT's text as a value of the type; fails with INVALID_ARGUMENT when it is none. */
    public static Literal parse(DataType type, String text) {
        return switch (type.id()) {
            case FLOAT, DOUBLE -> new Literal(false).setDouble_value(parseDouble(type, text));
            case DECIMAL -> of(type, parseDecimal(type, text));
            case CHAR, VARCHAR -> {
                if (text.getBytes(StandardCharsets.UTF_8).length > type.length()) {
                    throw new ThetisException(
                            ErrorCode.INVALID_ARGUMENT, "value is longer than " + type + ": '" + text + "'");
                }
                yield of(text);
            }
            case STRING, JSON, VARIANT -> of(text);
            case IPV4, IPV6 -> throw ThetisException.notSupported("A literal of type " + type);
            default -> of(type, ScalarText.parse(type, text));
        };
    }

    private static double parseDouble(DataType type, String text) {
        try {
            return Double.parseDouble(text.strip());
        } catch (NumberFormatException e) {
            throw new ThetisException(ErrorCode.INVALID_ARGUMENT, "not a value of type " + type + ": '" + text + "'");
        }
    }

    private static BigInteger parseDecimal(DataType type, String text) {
        BigDecimal value;
        try {
            value = new BigDecimal(text.strip());
        } catch (NumberFormatException e) {
            throw new ThetisException(ErrorCode.INVALID_ARGUMENT, "not a value of type " + type + ": '" + text + "'");
        }
        BigDecimal scaled = value.setScale(type.scale(), RoundingMode.HALF_UP);
        if (scaled.precision() > type.precision() && scaled.signum() != 0) {
            throw new ThetisException(
                    ErrorCode.INVALID_ARGUMENT, "value is out of range of type " + type + ": '" + text + "'");
        }
        return scaled.unscaledValue();
    }

    /** 16 bytes of two's complement, least significant first. */
    static byte[] littleEndian(BigInteger value) {
        byte[] big = value.toByteArray();
        byte[] little = new byte[16];
        Arrays.fill(little, (byte) (value.signum() < 0 ? -1 : 0));
        for (int i = 0; i < big.length; i++) {
            little[i] = big[big.length - 1 - i];
        }
        return little;
    }
}
