// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32C;
import org.thetis.catalog.type.TypeId;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.WireExprs;

/**
 * The hash that decides a row's bucket: CRC32C over the distribution columns' bytes, little-endian at physical width, text as its
 * bytes, NULL as four zero bytes. Back ends compute the same.
 */
public final class BucketHash {
    private BucketHash() {}

    /** Bucket of a row with these distribution values, given in distribution order with the columns' types. */
    public static int bucket(List<Literal> values, int buckets) {
        CRC32C hash = new CRC32C();
        values.forEach(value -> update(hash, value));
        return (int) (hash.getValue() % buckets);
    }

    private static void update(CRC32C hash, Literal literal) {
        Object value = literal.value();
        if (value == null) {
            hash.update(new byte[4]);
        } else if (value instanceof String text) {
            hash.update(text.getBytes(StandardCharsets.UTF_8));
        } else if (value instanceof Boolean truth) {
            hash.update(truth ? 1 : 0);
        } else if (value instanceof BigDecimal decimal) {
            updateNumber(
                    hash,
                    decimal.setScale(literal.type().scale()).unscaledValue(),
                    literal.type().physical());
        } else if (value instanceof BigInteger number) {
            updateNumber(hash, number, literal.type().physical());
        } else {
            updateNumber(
                    hash,
                    BigInteger.valueOf(literal.longValue()),
                    literal.type().physical());
        }
    }

    private static void updateNumber(CRC32C hash, BigInteger number, TypeId.Physical physical) {
        int width =
                switch (physical) {
                    case BOOL, INT8 -> 1;
                    case INT16 -> 2;
                    case INT32, FLOAT -> 4;
                    case INT128 -> 16;
                    default -> 8;
                };
        hash.update(WireExprs.littleEndian(number), 0, width);
    }
}
