// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.thetis.base.collection.PersistentSortedMap;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.Distribution;
import org.thetis.catalog.schema.HiddenColumns;
import org.thetis.catalog.schema.IndexMeta;
import org.thetis.catalog.schema.KeysModel;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.schema.PartitionItem;
import org.thetis.catalog.schema.PartitionSpec;
import org.thetis.catalog.schema.Replica;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.catalog.schema.TableProperties;
import org.thetis.catalog.schema.Tablet;
import org.thetis.catalog.type.DataType;

/** The merge-on-write table `kv(k BIGINT, v VARCHAR)`, unpartitioned, every tablet on all back ends. */
public final class KeyValueTable {
    public static final long FIRST_TABLET = 1000;
    public static final long VERSION = 5;

    private KeyValueTable() {}

    /** In database 10. Tablet `b` is FIRST_TABLET + b; back ends are numbered from 1. */
    public static OlapTable of(int buckets, int backends) {
        TableProperties properties = new TableProperties(Map.of("enable_unique_key_merge_on_write", "true"));
        List<SchemaColumn> columns = List.of(
                SchemaColumn.of("k", DataType.BIGINT, false).withUniqueId(0).withKey(true),
                SchemaColumn.of("v", DataType.VARCHAR, true).withUniqueId(1));
        IndexMeta index = IndexMeta.of(
                101, "kv", 1, KeysModel.UNIQUE, HiddenColumns.append(columns, KeysModel.UNIQUE, properties), 1);
        List<Tablet> tablets = new ArrayList<>();
        for (int b = 0; b < buckets; b++) {
            List<Replica> replicas = new ArrayList<>();
            for (int backend = 1; backend <= backends; backend++) {
                replicas.add(Replica.healthy(2000L + 10L * b + backend, backend));
            }
            tablets.add(new Tablet(FIRST_TABLET + b, replicas));
        }
        Distribution distribution = Distribution.hash(List.of("k"), buckets);
        Partition partition = new Partition(
                102,
                "kv",
                new PartitionItem.All(),
                distribution,
                backends,
                Map.of(),
                VERSION,
                0,
                VERSION,
                List.of(new Partition.IndexTablets(index.id(), tablets)));
        return new OlapTable(
                100,
                10,
                "kv",
                "",
                0,
                List.of(index),
                List.of(),
                PartitionSpec.UNPARTITIONED,
                distribution,
                properties,
                PersistentSortedMap.<Long, Partition>empty().with(102L, partition),
                PersistentSortedMap.empty());
    }
}
