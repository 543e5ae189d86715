// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.session;

import java.util.UUID;
import org.thetis.wire.thrift.UniqueId;

/** The 128-bit id of a statement, shown as two hex halves joined by a dash. */
public record QueryId(long high, long low) {
    public static QueryId random() {
        UUID uuid = UUID.randomUUID();
        return new QueryId(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
    }

    public UniqueId toThrift() {
        return new UniqueId(high, low);
    }

    public org.thetis.wire.proto.QueryId toProto() {
        return org.thetis.wire.proto.QueryId.newBuilder()
                .setHigh(high)
                .setLow(low)
                .build();
    }

    /** The halves joined by an underscore, as labels need them. */
    public String labelText() {
        return Long.toHexString(high) + "_" + Long.toHexString(low);
    }

    @Override
    public String toString() {
        return Long.toHexString(high) + "-" + Long.toHexString(low);
    }
}
