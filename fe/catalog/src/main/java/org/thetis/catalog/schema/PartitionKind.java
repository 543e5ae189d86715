// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.schema;

/** How a table's partitions divide its rows. */
public enum PartitionKind {
    UNPARTITIONED,
    RANGE,
    LIST
}
