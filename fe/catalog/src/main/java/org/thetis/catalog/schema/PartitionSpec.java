// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.schema;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;

/** The PARTITION BY clause: kind and column names; empty columns when the table is not partitioned. */
public record PartitionSpec(PartitionKind kind, List<String> columns) {
    public static final PartitionSpec UNPARTITIONED = new PartitionSpec(PartitionKind.UNPARTITIONED, List.of());

    public PartitionSpec {
        columns = List.copyOf(columns);
    }

    @JsonIgnore
    public boolean isPartitioned() {
        return kind != PartitionKind.UNPARTITIONED;
    }
}
