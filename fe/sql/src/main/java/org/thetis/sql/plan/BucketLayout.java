// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import java.util.List;

/** On which back end each bucket of a hash-distributed table is read. Equal layouts are colocated. */
public record BucketLayout(List<Long> owners) {
    /** Copies the list. */
    public BucketLayout {
        owners = List.copyOf(owners);
    }
}
