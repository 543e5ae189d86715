// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.alter;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.persist.ChangePartition;
import org.thetis.catalog.persist.JournalRecord;
import org.thetis.catalog.persist.ReplacePartitions;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.schema.PartitionDefinition;
import org.thetis.catalog.schema.PartitionItem;
import org.thetis.catalog.schema.PartitionResolver;
import org.thetis.catalog.schema.PropertyRules;
import org.thetis.catalog.schema.TableProperties;
import org.thetis.cluster.journal.Journal;
import org.thetis.cluster.tablet.TabletCreator;

/** Adds, drops, empties and changes the partitions of one table, whose claim the caller holds. */
final class PartitionCommands {
    private final Journal journal;
    private final TabletCreator tablets;
    private final TableBuilder builder;

    PartitionCommands(Journal journal, TabletCreator tablets, TableBuilder builder) {
        this.journal = journal;
        this.tablets = tablets;
        this.builder = builder;
    }

    /** What a new table starts with: its clauses, or the one partition of an unpartitioned table, named like it. */
    List<TabletCreator.PartitionRequest> initial(OlapTable table, List<PartitionDefinition> definitions) {
        if (table.partitionSpec().isPartitioned()) {
            return requests(table, builder.partitions(table, definitions));
        }
        return List.of(new TabletCreator.PartitionRequest(
                table.name(),
                new PartitionItem.All(),
                table.distribution(),
                table.properties().replicationNum(),
                Map.of()));
    }

    /** The same partitions for another table of the same shape. */
    List<TabletCreator.PartitionRequest> copyOf(OlapTable like, Collection<Partition> partitions, String tableName) {
        return partitions.stream()
                .map(partition -> new TabletCreator.PartitionRequest(
                        like.partitionSpec().isPartitioned() ? partition.name() : tableName,
                        partition.item(),
                        partition.distribution(),
                        partition.replicationNum(),
                        partition.properties()))
                .toList();
    }

    private List<TabletCreator.PartitionRequest> requests(OlapTable table, List<PartitionResolver.Resolved> resolved) {
        List<TabletCreator.PartitionRequest> requests = new ArrayList<>();
        for (PartitionResolver.Resolved partition : resolved) {
            Map<String, String> properties = PropertyRules.check(partition.properties());
            int replicas = new TableProperties(properties).has(TableProperties.REPLICATION_NUM)
                    ? new TableProperties(properties).replicationNum()
                    : table.properties().replicationNum();
            builder.checkReplicas(replicas, tablets.candidates().size());
            requests.add(new TabletCreator.PartitionRequest(
                    partition.name(), partition.item(), table.distribution(), replicas, properties));
        }
        return requests;
    }

    void add(OlapTable table, List<PartitionDefinition> definitions) {
        if (!table.partitionSpec().isPartitioned()) {
            throw new ThetisException(
                    ErrorCode.INVALID_ARGUMENT, "Table " + table.name() + " is not a partitioned table");
        }
        List<TabletCreator.PartitionRequest> requests = requests(table, builder.partitions(table, definitions));
        if (!requests.isEmpty()) {
            replace(table, requests, List.of());
        }
    }

    boolean drop(OlapTable table, String name, boolean ifExists) {
        if (!table.partitionSpec().isPartitioned()) {
            throw new ThetisException(
                    ErrorCode.INVALID_ARGUMENT, "Table " + table.name() + " is not a partitioned table");
        }
        Optional<Partition> found = table.findPartition(name);
        if (found.isEmpty() && ifExists) {
            return false;
        }
        Partition partition = table.getPartition(name);
        journal.appendAndWait(
                new ReplacePartitions(table.databaseId(), table.id(), List.of(), List.of(partition.id())));
        tablets.dropTablets(List.of(partition));
        return true;
    }

    /** New empty partitions take the place of the named ones, or of all. */
    void truncate(OlapTable table, List<String> names) {
        List<Partition> emptied = names.isEmpty()
                ? table.partitions().values()
                : names.stream().map(table::getPartition).toList();
        if (!emptied.isEmpty()) {
            replace(table, copyOf(table, emptied, table.name()), emptied);
        }
    }

    private void replace(OlapTable table, List<TabletCreator.PartitionRequest> requests, List<Partition> removed) {
        try (TabletCreator.Created created = tablets.create(table, requests)) {
            List<Long> removedIds = removed.stream().map(Partition::id).toList();
            journalOrDiscard(
                    created,
                    () -> true,
                    new ReplacePartitions(table.databaseId(), table.id(), created.partitions(), removedIds));
            tablets.dropTablets(removed);
        }
    }

    /** Journals that the partitions are part of the catalog; on failure their tablets are dropped again. */
    void journalOrDiscard(TabletCreator.Created created, Supplier<Boolean> stillWanted, JournalRecord record) {
        boolean done = false;
        try {
            if (!stillWanted.get()) {
                throw new ThetisException(ErrorCode.UNKNOWN_DATABASE, "the database was dropped meanwhile");
            }
            journal.appendAndWait(record);
            done = true;
        } finally {
            if (!done) {
                created.discard();
            }
        }
    }

    void rename(OlapTable table, String name, String newName) {
        Partition partition = table.getPartition(name);
        if (!table.partitionSpec().isPartitioned()) {
            throw new ThetisException(
                    ErrorCode.INVALID_ARGUMENT, "Table " + table.name() + " is not a partitioned table");
        }
        if (table.findPartition(newName).isPresent()) {
            throw new ThetisException(ErrorCode.DUPLICATE_PARTITION, "Partition " + newName + " already exists");
        }
        change(table, partition, newName, partition.properties(), partition.replicationNum());
    }

    void setProperties(OlapTable table, List<String> names, Map<String, String> properties) {
        List<Partition> changed = names.isEmpty()
                ? table.partitions().values()
                : names.stream().map(table::getPartition).toList();
        for (Partition partition : changed) {
            Map<String, String> all = new TreeMap<>(partition.properties());
            all.putAll(properties);
            @Nullable String replicas = properties.get(TableProperties.REPLICATION_NUM);
            if (replicas != null && Integer.parseInt(replicas) != partition.replicationNum()) {
                throw ThetisException.notSupported("Changing the number of replicas of a partition");
            }
            change(table, partition, partition.name(), all, partition.replicationNum());
        }
    }

    private void change(
            OlapTable table, Partition partition, String name, Map<String, String> properties, int replicas) {
        journal.appendAndWait(
                new ChangePartition(table.databaseId(), table.id(), partition.id(), name, properties, replicas));
    }
}
