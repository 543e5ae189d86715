// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.schema;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * A partition with its tablets in bucket order, for the base index (rollups come as further entries of `indexes`).
 *
 * @param visibleVersion what queries read; 1 when nothing was loaded
 * @param committedVersion the newest version a committed transaction took; visible once it is published
 */
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
        List<IndexTablets> indexes) {
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
        return new Partition(
                id,
                name,
                item,
                distribution,
                replicationNum,
                properties,
                visibleVersion,
                visibleMillis,
                version,
                indexes);
    }

    /** The same partition with tablets of other indexes. */
    public Partition withIndexes(List<IndexTablets> changed) {
        return new Partition(
                id,
                name,
                item,
                distribution,
                replicationNum,
                properties,
                visibleVersion,
                visibleMillis,
                committedVersion,
                changed);
    }

    public Partition withVisible(long version, long millis) {
        return new Partition(
                id,
                name,
                item,
                distribution,
                replicationNum,
                properties,
                version,
                millis,
                Math.max(committedVersion, version),
                indexes);
    }

    public Partition withName(String newName) {
        return new Partition(
                id,
                newName,
                item,
                distribution,
                replicationNum,
                properties,
                visibleVersion,
                visibleMillis,
                committedVersion,
                indexes);
    }

    public Partition withProperties(Map<String, String> changed, int replicas) {
        return new Partition(
                id,
                name,
                item,
                distribution,
                replicas,
                changed,
                visibleVersion,
                visibleMillis,
                committedVersion,
                indexes);
    }

    /** A partition in which the tablets that `change` returns differently are replaced. */
    public Partition withTablets(UnaryOperator<Tablet> change) {
        List<IndexTablets> changed = indexes.stream()
                .map(index -> new IndexTablets(
                        index.indexId(), index.tablets().stream().map(change).toList()))
                .toList();
        return new Partition(
                id,
                name,
                item,
                distribution,
                replicationNum,
                properties,
                visibleVersion,
                visibleMillis,
                committedVersion,
                changed);
    }
}
