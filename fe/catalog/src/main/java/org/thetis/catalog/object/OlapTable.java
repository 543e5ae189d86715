// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.object;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.thetis.base.collection.PersistentSortedMap;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.base.text.NearestNames;
import org.thetis.catalog.schema.Distribution;
import org.thetis.catalog.schema.IndexMeta;
import org.thetis.catalog.schema.KeysModel;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.schema.PartitionSpec;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.catalog.schema.TableProperties;
import org.thetis.catalog.schema.Tablet;
import org.thetis.catalog.type.DataType;

/**
 * A table whose rows live in tablets on back ends. Immutable: a change makes a new table that shares what did not change.
 *
 * @param indexes base index first, then the shadow of a schema change that is under way
 * @param distribution of partitions to come; each partition keeps the one it was made with
 * @param partitions by id; an unpartitioned table has one, named like the table
 * @param temporaryPartitions by id; loads write them and queries read them only by name
 */
@RecordBuilder
public record OlapTable(
        long id,
        long databaseId,
        String name,
        String comment,
        long createMillis,
        List<IndexMeta> indexes,
        List<SecondaryIndex> secondaryIndexes,
        PartitionSpec partitionSpec,
        Distribution distribution,
        TableProperties properties,
        PersistentSortedMap<Long, Partition> partitions,
        PersistentSortedMap<Long, Partition> temporaryPartitions)
        implements Table, OlapTableBuilder.With {
    public OlapTable {
        indexes = List.copyOf(indexes);
        secondaryIndexes = List.copyOf(secondaryIndexes);
    }

    public IndexMeta baseIndex() {
        return indexes.get(0);
    }

    public KeysModel keysModel() {
        return baseIndex().keysModel();
    }

    @Override
    public List<SchemaColumn> columns() {
        return baseIndex().columns();
    }

    /** Types of the partition columns, in order. */
    public List<DataType> partitionTypes() {
        return partitionSpec.columns().stream()
                .map(column -> findColumn(column).orElseThrow().type())
                .toList();
    }

    public Optional<Partition> findPartition(long partitionId) {
        Optional<Partition> found = partitions.find(partitionId);
        return found.isPresent() ? found : temporaryPartitions.find(partitionId);
    }

    /** Partitions and temporary partitions. */
    public List<Partition> allPartitions() {
        List<Partition> all = new ArrayList<>(partitions.values());
        all.addAll(temporaryPartitions.values());
        return all;
    }

    /** A temporary partition by name; fails with UNKNOWN_PARTITION and the nearest name. */
    public Partition getTemporaryPartition(String partitionName) {
        List<Partition> known = temporaryPartitions.values();
        return known.stream()
                .filter(partition -> partition.name().equalsIgnoreCase(partitionName))
                .findFirst()
                .orElseThrow(() -> new ThetisException(
                        ErrorCode.UNKNOWN_PARTITION,
                        "Unknown temporary partition '" + partitionName + "' in table '" + name + "'"
                                + NearestNames.suggestion(
                                        partitionName,
                                        known.stream().map(Partition::name).toList())));
    }

    /** A partition by name, of the temporary ones or of the others. */
    public Partition getPartition(String partitionName, boolean temporary) {
        return temporary ? getTemporaryPartition(partitionName) : getPartition(partitionName);
    }

    /** A partition by name, whatever its case. */
    public Optional<Partition> findPartition(String partitionName) {
        for (Map.Entry<Long, Partition> entry : partitions) {
            if (entry.getValue().name().equalsIgnoreCase(partitionName)) {
                return Optional.of(entry.getValue());
            }
        }
        return Optional.empty();
    }

    /** A partition by name; fails with UNKNOWN_PARTITION and the nearest name. */
    public Partition getPartition(String partitionName) {
        return findPartition(partitionName).orElseThrow(() -> {
            List<String> names =
                    partitions.values().stream().map(Partition::name).toList();
            return new ThetisException(
                    ErrorCode.UNKNOWN_PARTITION,
                    "Unknown partition '" + partitionName + "' in table '" + name + "'"
                            + NearestNames.suggestion(partitionName, names));
        });
    }

    /** Every tablet of every index and partition. */
    public List<Tablet> tablets() {
        List<Tablet> tablets = new ArrayList<>();
        for (Partition partition : allPartitions()) {
            partition.indexes().forEach(index -> tablets.addAll(index.tablets()));
        }
        return tablets;
    }

    @Override
    public OlapTable renamed(String newName) {
        OlapTable renamed = withName(newName);
        if (partitionSpec.isPartitioned() || partitions.isEmpty()) {
            return renamed;
        }
        Partition only = partitions.values().get(0);
        return renamed.withPartition(only.withName(newName));
    }

    /** Adds a partition or replaces the one with the same id, temporary or not. */
    public OlapTable withPartition(Partition partition) {
        return temporaryPartitions.find(partition.id()).isPresent()
                ? withTemporaryPartition(partition)
                : withPartitions(partitions.with(partition.id(), partition));
    }

    public OlapTable withTemporaryPartition(Partition partition) {
        return withTemporaryPartitions(temporaryPartitions.with(partition.id(), partition));
    }

    public OlapTable withoutPartition(long partitionId) {
        return with(changed -> changed.partitions(partitions.without(partitionId))
                .temporaryPartitions(temporaryPartitions.without(partitionId)));
    }

    /** Changes one partition; a partition that is gone is ignored, as replay may meet changes of dropped ones. */
    public OlapTable withPartition(long partitionId, UnaryOperator<Partition> change) {
        return findPartition(partitionId)
                .map(partition -> withPartition(change.apply(partition)))
                .orElse(this);
    }

    // --- schema change ---

    /** The index that loads write besides the base index while a schema change is under way. */
    public Optional<IndexMeta> shadowIndex() {
        return indexes.size() > 1 ? Optional.of(indexes.get(1)) : Optional.empty();
    }

    /** Adds a shadow index with its tablets by partition. */
    public OlapTable withShadow(IndexMeta shadow, Map<Long, Partition.IndexTablets> tablets) {
        OlapTable table = withIndexes(List.of(baseIndex(), shadow));
        for (Map.Entry<Long, Partition.IndexTablets> entry : tablets.entrySet()) {
            table = table.withPartition(
                    entry.getKey(),
                    partition ->
                            partition.withIndexes(List.of(partition.indexes().get(0), entry.getValue())));
        }
        return table;
    }

    /** The shadow index under the base index's name, and nothing of the base index. */
    public OlapTable withShadowAsBase(long indexId) {
        IndexMeta shadow = indexes.stream()
                .filter(index -> index.id() == indexId)
                .findFirst()
                .orElse(baseIndex());
        return withIndexes(List.of(shadow.copy(shadow.id(), baseIndex().name())))
                .keepTablets(index -> index == shadow.id());
    }

    /** The table without the shadow index. */
    public OlapTable withoutIndex(long indexId) {
        return withIndexes(
                        indexes.stream().filter(index -> index.id() != indexId).toList())
                .keepTablets(index -> index != indexId);
    }

    private OlapTable keepTablets(LongPredicate isKept) {
        OlapTable table = this;
        for (Partition partition : allPartitions()) {
            List<Partition.IndexTablets> kept = partition.indexes().stream()
                    .filter(index -> isKept.test(index.indexId()))
                    .toList();
            if (!kept.isEmpty()) {
                table = table.withPartition(partition.withIndexes(kept));
            }
        }
        return table;
    }

    /** Fails with UNKNOWN_COLUMN and the nearest name. */
    public SchemaColumn getColumn(String columnName) {
        return findColumn(columnName).orElseThrow(() -> {
            List<String> names = columns().stream()
                    .map(column -> column.name().toLowerCase(Locale.ROOT))
                    .toList();
            return new ThetisException(
                    ErrorCode.UNKNOWN_COLUMN,
                    "Unknown column '" + columnName + "' in table '" + name + "'"
                            + NearestNames.suggestion(columnName, names));
        });
    }

    /** The stored form: the same with partitions as a list. */
    public record Document(
            long id,
            long databaseId,
            String name,
            String comment,
            long createMillis,
            List<IndexMeta> indexes,
            List<SecondaryIndex> secondaryIndexes,
            PartitionSpec partitionSpec,
            Distribution distribution,
            TableProperties properties,
            List<Partition> partitions,
            @Nullable List<Partition> temporaryPartitions) {}

    @JsonValue
    public Document toDocument() {
        return new Document(
                id,
                databaseId,
                name,
                comment,
                createMillis,
                indexes,
                secondaryIndexes,
                partitionSpec,
                distribution,
                properties,
                partitions.values(),
                temporaryPartitions.values());
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static OlapTable of(Document document) {
        return new OlapTable(
                document.id,
                document.databaseId,
                document.name,
                document.comment,
                document.createMillis,
                document.indexes,
                document.secondaryIndexes,
                document.partitionSpec,
                document.distribution,
                document.properties,
                PersistentSortedMap.of(document.partitions, Partition::id),
                document.temporaryPartitions == null
                        ? PersistentSortedMap.empty()
                        : PersistentSortedMap.of(document.temporaryPartitions, Partition::id));
    }
}
