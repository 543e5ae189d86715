// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.tablet;

/**
 * A replica as its back end last reported it.
 *
 * @param version largest version with all before it
 */
public record ReplicaState(
        long tabletId,
        long backendId,
        long version,
        long numRows,
        long dataBytes,
        long numVersions,
        boolean versionMissing,
        boolean bad,
        long reportMillis) {}
