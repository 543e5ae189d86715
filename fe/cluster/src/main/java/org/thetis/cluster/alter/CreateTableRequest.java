// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.alter;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.object.SecondaryIndex;
import org.thetis.catalog.schema.KeysModel;
import org.thetis.catalog.schema.PartitionDefinition;
import org.thetis.catalog.schema.PartitionSpec;
import org.thetis.catalog.schema.SchemaColumn;

/**
 * CREATE TABLE with types resolved and everything else as written; the command completes and checks it.
 *
 * @param columns in table order, aggregation set where given; key flags set where the column says KEY
 * @param keysModel null without a key clause: AGGREGATE when a column aggregates, else DUPLICATE with a chosen prefix
 * @param keyColumns of the key clause, empty without one
 * @param distribution null without a DISTRIBUTED BY clause
 * @param secondaryIndexes ids are given by the command
 */
public record CreateTableRequest(
        String database,
        String table,
        boolean ifNotExists,
        List<SchemaColumn> columns,
        @Nullable KeysModel keysModel,
        List<String> keyColumns,
        PartitionSpec partitioning,
        List<PartitionDefinition> partitions,
        @Nullable DistributionRequest distribution,
        List<SecondaryIndex> secondaryIndexes,
        String comment,
        Map<String, String> properties) {
    /**
     * DISTRIBUTED BY as written.
     *
     * @param columns of HASH; empty for RANDOM
     * @param buckets null without BUCKETS (10 then); ignored for BUCKETS AUTO
     */
    public record DistributionRequest(
            boolean random, List<String> columns, @Nullable Integer buckets, boolean autoBuckets) {}
}
