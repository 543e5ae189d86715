// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.alter;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.persist.ChangePartition;
import org.thetis.catalog.persist.ReplacePartitions;
import org.thetis.catalog.persist.SaveTemporaryPartitions;
import org.thetis.catalog.schema.Distribution;
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
            return requests(
                    table,
                    table.distribution(),
                    builder.partitions(table, table.partitions().values(), definitions));
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

    private List<TabletCreator.PartitionRequest> requests(
            OlapTable table, Distribution distribution, List<PartitionResolver.Resolved> resolved) {
        List<TabletCreator.PartitionRequest> requests = new ArrayList<>();
        for (PartitionResolver.Resolved partition : resolved) {
            Map<String, String> properties = PropertyRules.check(partition.properties());
            int replicas = new TableProperties(properties).has(TableProperties.REPLICATION_NUM)
                    ? new TableProperties(properties).replicationNum()
                    : table.properties().replicationNum();
            builder.checkReplicas(replicas, tablets.candidates().size());
            requests.add(new TabletCreator.PartitionRequest(
                    partition.name(), partition.item(), distribution, replicas, properties));
        }
        return requests;
    }

    void add(
            OlapTable table,
            List<PartitionDefinition> definitions,
            boolean temporary,
            CreateTableRequest.@Nullable DistributionRequest given) {
        checkPartitioned(table);
        List<PartitionResolver.Resolved> resolved = builder.partitions(
                table,
                temporary
                        ? table.temporaryPartitions().values()
                        : table.partitions().values(),
                definitions);
        List<TabletCreator.PartitionRequest> requests =
                requests(table, given == null ? table.distribution() : distribution(table, given), resolved);
        if (requests.isEmpty()) {
            return;
        }
        // Loads name partitions of either kind alike.
        for (TabletCreator.PartitionRequest request : requests) {
            if (table.allPartitions().stream()
                    .anyMatch(partition -> partition.name().equalsIgnoreCase(request.name()))) {
                throw new ThetisException(
                        ErrorCode.DUPLICATE_PARTITION, "Partition " + request.name() + " already exists");
            }
        }
        try (TabletCreator.Created created = tablets.create(table, requests)) {
            created.journal(
                    journal,
                    temporary
                            ? new SaveTemporaryPartitions(
                                    table.databaseId(), table.id(), created.partitions(), List.of())
                            : new ReplacePartitions(
                                    table.databaseId(), table.id(), created.partitions(), List.of(), 0));
        }
    }

    private Distribution distribution(OlapTable table, CreateTableRequest.DistributionRequest given) {
        Distribution changed = builder.distribution(
                given, table.columns(), table.properties(), tablets.candidates().size());
        if (changed.kind() != table.distribution().kind()
                || !changed.columns().equals(table.distribution().columns())) {
            throw new ThetisException(
                    ErrorCode.INVALID_ARGUMENT,
                    "Cannot assign hash distribution with different distribution cols. new is: " + changed.toSql()
                            + " default is: " + table.distribution().toSql());
        }
        return changed;
    }

    private static void checkPartitioned(OlapTable table) {
        if (!table.partitionSpec().isPartitioned()) {
            throw new ThetisException(
                    ErrorCode.INVALID_ARGUMENT, "Table " + table.name() + " is not a partitioned table");
        }
    }

    /** Drops partitions by name; those that are recycled keep their tablets. */
    void drop(OlapTable table, List<String> names, boolean ifExists, boolean temporary, long recycleMillis) {
        checkPartitioned(table);
        List<Partition> dropped = new ArrayList<>();
        for (String name : names) {
            boolean known = temporary
                    ? table.temporaryPartitions().values().stream()
                            .anyMatch(partition -> partition.name().equalsIgnoreCase(name))
                    : table.findPartition(name).isPresent();
            if (known || !ifExists) {
                dropped.add(table.getPartition(name, temporary));
            }
        }
        if (dropped.isEmpty()) {
            return;
        }
        List<Long> droppedIds = dropped.stream().map(Partition::id).toList();
        if (temporary) {
            journal.appendAndWait(new SaveTemporaryPartitions(table.databaseId(), table.id(), List.of(), droppedIds));
        } else {
            journal.appendAndWait(
                    new ReplacePartitions(table.databaseId(), table.id(), List.of(), droppedIds, recycleMillis));
        }
        if (temporary || recycleMillis <= 0) {
            tablets.dropTablets(dropped);
        }
    }

    /** New empty partitions take the place of the named ones, or of all. */
    void truncate(OlapTable table, List<String> names) {
        List<Partition> emptied = names.isEmpty()
                ? table.partitions().values()
                : names.stream().map(table::getPartition).toList();
        if (emptied.isEmpty()) {
            return;
        }
        try (TabletCreator.Created created = tablets.create(table, copyOf(table, emptied, table.name()));
                TabletCreator.Replacing old = tablets.replacing(emptied)) {
            List<Long> removed = emptied.stream().map(Partition::id).toList();
            created.journal(
                    journal, new ReplacePartitions(table.databaseId(), table.id(), created.partitions(), removed, 0));
            old.replaced();
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
