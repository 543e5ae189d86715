// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.tablet;

/**
 * A replica as its back end last reported it.
 *
 * @param version largest version with all before it
 * @param missingSinceMillis since when reports say that the version after it is missing while later ones are there; 0 when none is
 */
public record ReplicaState(
        long tabletId,
        long backendId,
        long version,
        long numRows,
        long dataBytes,
        long numVersions,
        long missingSinceMillis,
        boolean bad,
        long reportMillis) {}
