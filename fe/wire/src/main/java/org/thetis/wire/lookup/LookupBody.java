// SPDX-License-Identifier: Apache-2.0
package org.thetis.wire.lookup;

import java.util.List;

/** What one call asks of one back end: a LookupRequest that writes itself. Immutable; the arrays it is given are not copied. */
public final class LookupBody {
    // Tags of service_lookup.proto: field number << 3 | wire type.
    private static final int PLAN_ID_HIGH = 1 << 3 | 1;
    private static final int PLAN_ID_LOW = 2 << 3 | 1;
    private static final int PLAN = 3 << 3 | 2;
    private static final int BINARY_ROWS = 4 << 3;
    private static final int TABLETS = 5 << 3 | 2;
    private static final int PARAMETERS = 6 << 3 | 2;
    private static final int TABLET_ID = 1 << 3 | 1;
    private static final int VERSION = 2 << 3;
    private static final int KEYS = 3 << 3 | 2;
    private static final int FIXED64 = 9;

    private final long planHigh;
    private final long planLow;
    private final byte[] plan;
    private final boolean binaryRows;
    private final List<KeysOfTablet> tablets;
    private final byte[] parameters;

    /**
     * @param planHigh with `planLow` the plan's id
     * @param plan Thrift compact LookupPlan, sent only where it is not known yet
     * @param parameters the plan's parameters as `LookupRequest.parameters` says
     */
    public LookupBody(
            long planHigh,
            long planLow,
            byte[] plan,
            boolean binaryRows,
            List<KeysOfTablet> tablets,
            byte[] parameters) {
        this.planHigh = planHigh;
        this.planLow = planLow;
        this.plan = plan;
        this.binaryRows = binaryRows;
        this.tablets = tablets;
        this.parameters = parameters;
    }

    long planHigh() {
        return planHigh;
    }

    long planLow() {
        return planLow;
    }

    /** Bytes of the message. */
    int size(boolean withPlan) {
        int size = 2 * FIXED64;
        if (withPlan) {
            size += Varints.sizeOfBytes(plan.length);
        }
        if (binaryRows) {
            size += 2;
        }
        for (int i = 0; i < tablets.size(); i++) {
            size += Varints.sizeOfBytes(sizeOf(tablets.get(i)));
        }
        if (parameters.length > 0) {
            size += Varints.sizeOfBytes(parameters.length);
        }
        return size;
    }

    void write(FrameBytes out, boolean withPlan) {
        out.putByte(PLAN_ID_HIGH);
        out.putLongLE(planHigh);
        out.putByte(PLAN_ID_LOW);
        out.putLongLE(planLow);
        if (withPlan) {
            out.putField(PLAN, plan);
        }
        if (binaryRows) {
            out.putByte(BINARY_ROWS);
            out.putByte(1);
        }
        for (int i = 0; i < tablets.size(); i++) {
            KeysOfTablet tablet = tablets.get(i);
            out.putByte(TABLETS);
            out.putVarint(sizeOf(tablet));
            out.putByte(TABLET_ID);
            out.putLongLE(tablet.tabletId());
            out.putByte(VERSION);
            out.putVarint(tablet.version());
            List<byte[]> keys = tablet.keys();
            for (int k = 0; k < keys.size(); k++) {
                out.putField(KEYS, keys.get(k));
            }
        }
        if (parameters.length > 0) {
            out.putField(PARAMETERS, parameters);
        }
    }

    private static int sizeOf(KeysOfTablet tablet) {
        int size = FIXED64 + 1 + Varints.size(tablet.version());
        List<byte[]> keys = tablet.keys();
        for (int k = 0; k < keys.size(); k++) {
            size += Varints.sizeOfBytes(keys.get(k).length);
        }
        return size;
    }
}
