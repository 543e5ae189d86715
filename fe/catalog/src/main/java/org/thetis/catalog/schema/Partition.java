// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.schema;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * A partition with its tablets in bucket order, for the base index (rollups come as further entries of `indexes`).
 *
 * @param visibleVersion what queries read; 1 when nothing was loaded
 * @param committedVersion the newest version a committed transaction took; visible once it is published
 */
@RecordBuilder
public record Partition(
        long id,
        String name,
        PartitionItem item,
        Distribution distribution,
        int replicationNum,
        Map<String, String> properties,
        long visibleVersion,
        long visibleMillis,
        long committedVersion,
        List<IndexTablets> indexes)
        implements PartitionBuilder.With {
    /** The tablets of one index, by bucket. */
    public record IndexTablets(long indexId, List<Tablet> tablets) {
        public IndexTablets {
            tablets = List.copyOf(tablets);
        }
    }

    /** The version every partition starts with. */
    public static final long FIRST_VERSION = 1;

    public Partition {
        properties = properties == null ? Map.of() : Map.copyOf(properties);
        indexes = List.copyOf(indexes);
    }

    /** Tablets of the base index, by bucket. */
    @JsonIgnore
    public List<Tablet> tablets() {
        return indexes.get(0).tablets();
    }

    public Partition withCommitted(long version) {
        return withCommittedVersion(version);
    }

    public Partition withVisible(long version, long millis) {
        return with(changed -> changed.visibleVersion(version)
                .visibleMillis(millis)
                .committedVersion(Math.max(committedVersion, version)));
    }

    public Partition withProperties(Map<String, String> changed, int replicas) {
        return with(partition -> partition.properties(changed).replicationNum(replicas));
    }

    /** A partition in which the tablets that `change` returns differently are replaced. */
    public Partition withTablets(UnaryOperator<Tablet> change) {
        List<IndexTablets> changed = indexes.stream()
                .map(index -> new IndexTablets(
                        index.indexId(), index.tablets().stream().map(change).toList()))
                .toList();
        return withIndexes(changed);
    }
}
