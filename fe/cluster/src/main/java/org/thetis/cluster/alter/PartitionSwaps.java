// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.alter;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.Database;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.persist.SaveTemporaryPartitions;
import org.thetis.catalog.persist.SwapPartitions;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.schema.PartitionItem;
import org.thetis.catalog.schema.PartitionKey;
import org.thetis.catalog.snapshot.CatalogReader;
import org.thetis.cluster.journal.IdAllocator;
import org.thetis.cluster.journal.Journal;
import org.thetis.cluster.tablet.TabletCreator;

/** Temporary partitions that take the place of others: REPLACE PARTITION and INSERT OVERWRITE. The caller holds the table's claim. */
final class PartitionSwaps {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionSwaps.class);
    private static final String OVERWRITE_PREFIX = "__overwrite_";

    private final Journal journal;
    private final CatalogReader catalog;
    private final IdAllocator ids;
    private final TabletCreator tablets;
    private final PartitionCommands partitions;

    PartitionSwaps(
            Journal journal,
            CatalogReader catalog,
            IdAllocator ids,
            TabletCreator tablets,
            PartitionCommands partitions) {
        this.journal = journal;
        this.catalog = catalog;
        this.ids = ids;
        this.tablets = tablets;
        this.partitions = partitions;
    }

    void replace(
            OlapTable table,
            List<String> names,
            List<String> temporaryNames,
            boolean strictRange,
            boolean useTemporaryNames,
            long recycleMillis) {
        List<Partition> replaced =
                names.stream().map(table::getPartition).distinct().toList();
        List<Partition> temporary = temporaryNames.stream()
                .map(table::getTemporaryPartition)
                .distinct()
                .toList();
        if (strictRange) {
            checkSameValues(replaced, temporary);
        }
        checkNoOverlap(table, replaced, temporary);
        boolean keepOldNames = !useTemporaryNames && replaced.size() == temporary.size();
        Map<Long, String> called = new HashMap<>();
        for (int i = 0; i < temporary.size(); i++) {
            called.put(
                    temporary.get(i).id(),
                    keepOldNames ? replaced.get(i).name() : temporary.get(i).name());
        }
        checkNames(table, replaced, called);
        swap(table, replaced, called, recycleMillis);
    }

    private static void checkSameValues(List<Partition> replaced, List<Partition> temporary) {
        boolean same = replaced.get(0).item() instanceof PartitionItem.Range
                ? merged(replaced).equals(merged(temporary))
                : keys(replaced).equals(keys(temporary));
        if (!same) {
            throw new ThetisException(
                    ErrorCode.INVALID_ARGUMENT,
                    "2 range lists are not strictly matched: "
                            + replaced.stream().map(Partition::name).toList() + " and "
                            + temporary.stream().map(Partition::name).toList());
        }
    }

    /** The ranges in order, those that touch as one. */
    private static List<PartitionItem.Range> merged(List<Partition> given) {
        List<PartitionItem.Range> ranges = given.stream()
                .map(partition -> (PartitionItem.Range) partition.item())
                .sorted(Comparator.comparing(PartitionItem.Range::lower))
                .toList();
        List<PartitionItem.Range> merged = new ArrayList<>();
        for (PartitionItem.Range range : ranges) {
            int last = merged.size() - 1;
            if (last >= 0 && merged.get(last).upper().compareTo(range.lower()) == 0) {
                merged.set(last, new PartitionItem.Range(merged.get(last).lower(), range.upper()));
            } else {
                merged.add(range);
            }
        }
        return merged;
    }

    private static Set<PartitionKey> keys(List<Partition> given) {
        Set<PartitionKey> keys = new TreeSet<>();
        for (Partition partition : given) {
            if (partition.item() instanceof PartitionItem.InList list) {
                keys.addAll(list.keys());
            }
        }
        return keys;
    }

    private static void checkNoOverlap(OlapTable table, List<Partition> replaced, List<Partition> temporary) {
        for (Partition other : table.partitions().values()) {
            if (replaced.contains(other)) {
                continue;
            }
            for (Partition partition : temporary) {
                if (PartitionItem.overlap(other.item(), partition.item())) {
                    throw new ThetisException(
                            ErrorCode.INVALID_ARGUMENT,
                            "Temporary partition " + partition.name() + " overlaps with partition " + other.name());
                }
            }
        }
    }

    private static void checkNames(OlapTable table, List<Partition> replaced, Map<Long, String> called) {
        Set<String> taken = new HashSet<>();
        for (Partition partition : table.partitions().values()) {
            if (!replaced.contains(partition)) {
                taken.add(partition.name().toLowerCase(Locale.ROOT));
            }
        }
        for (String name : called.values()) {
            if (!taken.add(name.toLowerCase(Locale.ROOT))) {
                throw new ThetisException(ErrorCode.DUPLICATE_PARTITION, "Partition " + name + " already exists");
            }
        }
    }

    private void swap(OlapTable table, List<Partition> replaced, Map<Long, String> called, long recycleMillis) {
        try (TabletCreator.Replacing old = tablets.replacing(replaced)) {
            journal.appendAndWait(new SwapPartitions(
                    table.databaseId(),
                    table.id(),
                    replaced.stream().map(Partition::id).toList(),
                    called,
                    recycleMillis));
            if (recycleMillis <= 0) {
                old.replaced();
            }
        }
    }

    Overwrite begin(OlapTable table, List<String> names) {
        List<Partition> replaced = names.isEmpty()
                ? table.partitions().values()
                : names.stream().map(table::getPartition).distinct().toList();
        String prefix = OVERWRITE_PREFIX + ids.next() + "_";
        List<TabletCreator.PartitionRequest> requests = replaced.stream()
                .map(partition -> new TabletCreator.PartitionRequest(
                        prefix + partition.name(),
                        partition.item(),
                        partition.distribution(),
                        partition.replicationNum(),
                        partition.properties()))
                .toList();
        try (TabletCreator.Created created = tablets.create(table, requests)) {
            created.journal(
                    journal,
                    new SaveTemporaryPartitions(table.databaseId(), table.id(), created.partitions(), List.of()));
            Map<Long, String> called = new HashMap<>();
            for (int i = 0; i < replaced.size(); i++) {
                called.put(created.partitions().get(i).id(), replaced.get(i).name());
            }
            return new Overwrite(
                    table.databaseId(),
                    table.id(),
                    replaced.stream().map(Partition::id).toList(),
                    created.partitions(),
                    called);
        }
    }

    /** Fails when one of the replaced partitions is gone or was replaced meanwhile. */
    void finish(OlapTable table, Overwrite overwrite) {
        List<Partition> replaced = new ArrayList<>();
        for (long id : overwrite.replaced()) {
            replaced.add(table.partitions()
                    .find(id)
                    .orElseThrow(() -> new ThetisException(
                            ErrorCode.INSERT_FAILED,
                            "a partition of table " + table.name() + " was dropped or replaced during the overwrite")));
        }
        Map<Long, String> called = new HashMap<>();
        overwrite.temporary().forEach(partition -> {
            // The table or a partition may have got another name meanwhile.
            int place = overwrite.temporary().indexOf(partition);
            called.put(partition.id(), replaced.get(place).name());
        });
        swap(table, replaced, called, 0);
    }

    void abandon(Overwrite overwrite) {
        drop(overwrite.databaseId(), overwrite.tableId(), overwrite.temporary());
    }

    private void drop(long databaseId, long tableId, List<Partition> temporary) {
        try {
            journal.appendAndWait(new SaveTemporaryPartitions(
                    databaseId,
                    tableId,
                    List.of(),
                    temporary.stream().map(Partition::id).toList()));
            tablets.dropTablets(temporary);
        } catch (ThetisException e) {
            LOG.warn("Temporary partitions were not dropped: table={} reason={}", tableId, e.text());
        }
    }

    /** Drops what overwrites left that a stop of the front end cut short. */
    void dropAbandoned() {
        for (Database database : catalog.snapshot().databases().values()) {
            for (OlapTable table : database.olapTables()) {
                List<Partition> left = table.temporaryPartitions().values().stream()
                        .filter(partition -> partition.name().startsWith(OVERWRITE_PREFIX))
                        .toList();
                if (!left.isEmpty()) {
                    LOG.info("An unfinished INSERT OVERWRITE is undone: table={}", table.name());
                    drop(database.id(), table.id(), left);
                }
            }
        }
    }
}
