// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.point;

import java.util.List;
import org.thetis.catalog.schema.Tablet;

/**
 * One execution of a {@link PointPlan}: which keys to look up where. Immutable; the lists and arrays are the receiver's.
 *
 * @param tablets no tablet twice; empty when nothing can match, so that the result is the empty set
 * @param parameters LookupRequest.parameters
 */
@SuppressWarnings("ArrayRecordComponent") // Calls are never compared.
public record PointCall(List<TabletCall> tablets, byte[] parameters) {
    /** The call of nothing. */
    public static final PointCall EMPTY = new PointCall(List.of(), new byte[0]);

    /**
     * The keys wanted of one tablet.
     *
     * @param tablet with its replicas, as the catalog knows them now
     * @param version the partition's visible version now
     * @param keys LookupRequest's TabletKeys.keys, without repetition
     */
    public record TabletCall(Tablet tablet, long version, List<byte[]> keys) {}

    /** Whether no row can match. */
    public boolean isEmpty() {
        return tablets.isEmpty();
    }
}
