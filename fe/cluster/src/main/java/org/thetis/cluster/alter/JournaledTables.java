// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.alter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.thetis.base.collection.PersistentSortedMap;
import org.thetis.base.config.TableSettings;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.base.text.NearestNames;
import org.thetis.base.thread.Clock;
import org.thetis.catalog.object.Database;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.Table;
import org.thetis.catalog.object.View;
import org.thetis.catalog.persist.ChangeTable;
import org.thetis.catalog.persist.CreateTable;
import org.thetis.catalog.persist.DropTable;
import org.thetis.catalog.persist.JournalRecord;
import org.thetis.catalog.persist.ReplaceTable;
import org.thetis.catalog.persist.SaveView;
import org.thetis.catalog.schema.IndexMeta;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.schema.PartitionDefinition;
import org.thetis.catalog.schema.PropertyRules;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.catalog.schema.TableProperties;
import org.thetis.catalog.snapshot.CatalogReader;
import org.thetis.cluster.journal.IdAllocator;
import org.thetis.cluster.journal.Journal;
import org.thetis.cluster.tablet.TabletCreator;

/** Table and view statements: checks, work on back ends, one journal record each. One change per table at a time. */
public final class JournaledTables implements TableCommands {
    private static final Set<String> CHANGEABLE_PROPERTIES = Set.of(
            "min_load_replica_num",
            "group_commit_interval_ms",
            "group_commit_data_bytes",
            "compaction_policy",
            "disable_auto_compaction",
            "enable_single_replica_compaction",
            "replication_num",
            "storage_medium",
            "is_being_synced",
            "light_schema_change",
            "auto_analyze_policy",
            "storage_cooldown_time",
            "skip_write_index_on_load");

    private final Journal journal;
    private final CatalogReader catalog;
    private final IdAllocator ids;
    private final TabletCreator tablets;
    private final Clock clock;
    private final TableBuilder builder;
    private final PartitionCommands partitions;
    private final Claims claims = new Claims(Duration.ofSeconds(60));

    public JournaledTables(
            TableSettings settings,
            Journal journal,
            CatalogReader catalog,
            IdAllocator ids,
            TabletCreator tablets,
            Clock clock) {
        this.journal = journal;
        this.catalog = catalog;
        this.ids = ids;
        this.tablets = tablets;
        this.clock = clock;
        this.builder = new TableBuilder(settings, ids, clock);
        this.partitions = new PartitionCommands(journal, tablets, builder);
    }

    private Claims.Claim claim(String database, String table) {
        return claims.take(database + "." + table);
    }

    @Override
    public boolean create(CreateTableRequest request) {
        try (Claims.Claim claim = claim(request.database(), request.table())) {
            Database database = catalog.snapshot().getDatabase(request.database());
            if (exists(database, request.table(), request.ifNotExists())) {
                return false;
            }
            OlapTable table =
                    builder.build(request, database.id(), tablets.candidates().size());
            createWithPartitions(table, partitions.initial(table, request.partitions()));
            return true;
        }
    }

    /** Whether the name is taken and that is fine; fails when it is taken and not. */
    private static boolean exists(Database database, String table, boolean ifNotExists) {
        if (database.findTable(table).isEmpty()) {
            return false;
        }
        if (ifNotExists) {
            return true;
        }
        throw new ThetisException(ErrorCode.ALREADY_EXISTS, "Table '" + table + "' already exists");
    }

    private void createWithPartitions(OlapTable table, List<TabletCreator.PartitionRequest> requests) {
        try (TabletCreator.Created created = tablets.create(table, requests)) {
            OlapTable complete = table;
            for (Partition partition : created.partitions()) {
                complete = complete.withPartition(partition);
            }
            journalOrDiscard(
                    created,
                    () -> catalog.snapshot().findDatabase(table.databaseId()).isPresent(),
                    new CreateTable(complete));
        }
    }

    private void journalOrDiscard(TabletCreator.Created created, Supplier<Boolean> stillWanted, JournalRecord record) {
        partitions.journalOrDiscard(created, stillWanted, record);
    }

    @Override
    public boolean createLike(
            String database, String table, boolean ifNotExists, String likeDatabase, String likeTable) {
        try (Claims.Claim claim = claim(database, table)) {
            Database target = catalog.snapshot().getDatabase(database);
            OlapTable like = catalog.snapshot().getDatabase(likeDatabase).getOlapTable(likeTable);
            if (exists(target, table, ifNotExists)) {
                return false;
            }
            builder.checkName(table);
            IndexMeta index = like.baseIndex().copy(ids.next(), table);
            OlapTable copy = new OlapTable(
                    ids.next(),
                    target.id(),
                    table,
                    like.comment(),
                    clock.millis(),
                    List.of(index),
                    like.secondaryIndexes(),
                    like.partitionSpec(),
                    like.distribution(),
                    like.properties(),
                    PersistentSortedMap.empty());
            createWithPartitions(copy, partitions.copyOf(like, like.partitions().values(), table));
            return true;
        }
    }

    @Override
    public boolean drop(String database, String table, boolean ifExists, boolean force) {
        try (Claims.Claim claim = claim(database, table)) {
            Optional<Table> found = findToDrop(database, table, ifExists);
            if (found.isEmpty()) {
                return false;
            }
            if (!(found.get() instanceof OlapTable olap)) {
                throw new ThetisException(
                        ErrorCode.NOT_OLAP_TABLE, "'" + database + "." + table + "' is not a table, use DROP VIEW");
            }
            journal.appendAndWait(new DropTable(olap.databaseId(), olap.id()));
            tablets.dropTablets(olap.partitions().values());
            return true;
        }
    }

    private Optional<Table> findToDrop(String database, String table, boolean ifExists) {
        Optional<Database> known = catalog.snapshot().findDatabase(database);
        if (known.isEmpty() && !ifExists) {
            catalog.snapshot().getDatabase(database);
        }
        Optional<Table> found = known.flatMap(there -> there.findTable(table));
        if (found.isEmpty() && !ifExists) {
            List<String> names = known.map(there -> there.tableIds().keys()).orElse(List.of());
            throw new ThetisException(
                    ErrorCode.UNKNOWN_TABLE_TO_DROP,
                    "Unknown table '" + database + "." + table + "'" + NearestNames.suggestion(table, names));
        }
        return found;
    }

    private OlapTable get(String database, String table) {
        return catalog.snapshot().getDatabase(database).getOlapTable(table);
    }

    @Override
    public void truncate(String database, String table, List<String> names) {
        try (Claims.Claim claim = claim(database, table)) {
            partitions.truncate(get(database, table), names);
        }
    }

    @Override
    public void rename(String database, String table, String newName) {
        try (Claims.Claim claim = claim(database, newName)) {
            Database known = catalog.snapshot().getDatabase(database);
            Table found = known.getTable(table);
            builder.checkName(newName);
            exists(known, newName, false);
            journal.appendAndWait(ChangeTable.rename(found, newName));
        }
    }

    @Override
    public void renameColumn(String database, String table, String column, String newName) {
        try (Claims.Claim claim = claim(database, table)) {
            OlapTable known = get(database, table);
            SchemaColumn before = known.getColumn(column);
            if (!before.name().equalsIgnoreCase(newName)
                    && known.findColumn(newName).isPresent()) {
                throw new ThetisException(ErrorCode.DUPLICATE_COLUMN, "Duplicate column name '" + newName + "'");
            }
            List<String> fixed = new ArrayList<>(known.partitionSpec().columns());
            fixed.addAll(known.distribution().columns());
            fixed.addAll(known.properties().bloomFilterColumns());
            known.secondaryIndexes().forEach(index -> fixed.addAll(index.columns()));
            if (fixed.stream().anyMatch(before.name()::equalsIgnoreCase)) {
                throw ThetisException.notSupported(
                        "Renaming the column '" + column + "', which partitions, buckets or indexes use");
            }
            changeColumn(known, before, before.withName(newName));
        }
    }

    private void changeColumn(OlapTable table, SchemaColumn before, SchemaColumn after) {
        List<IndexMeta> indexes = table.indexes().stream()
                .map(index -> index.withColumns(
                        index.schemaVersion(),
                        index.columns().stream()
                                .map(column -> column.uniqueId() == before.uniqueId() ? after : column)
                                .toList(),
                        index.nextUniqueId()))
                .toList();
        journal.appendAndWait(new ChangeTable(table.databaseId(), table.id(), null, null, null, null, indexes));
    }

    @Override
    public void setComment(String database, String table, String comment) {
        try (Claims.Claim claim = claim(database, table)) {
            OlapTable known = get(database, table);
            journal.appendAndWait(new ChangeTable(known.databaseId(), known.id(), null, comment, null, null, null));
        }
    }

    @Override
    public void setColumnComment(String database, String table, String column, String comment) {
        try (Claims.Claim claim = claim(database, table)) {
            OlapTable known = get(database, table);
            SchemaColumn before = known.getColumn(column);
            changeColumn(known, before, before.withComment(comment));
        }
    }

    @Override
    public void setProperties(String database, String table, Map<String, String> properties) {
        try (Claims.Claim claim = claim(database, table)) {
            OlapTable known = get(database, table);
            Map<String, String> checked = PropertyRules.check(properties);
            for (String key : checked.keySet()) {
                if (!CHANGEABLE_PROPERTIES.contains(key)) {
                    throw ThetisException.notSupported("Changing the property " + key + " of a table");
                }
            }
            if (checked.containsKey(TableProperties.REPLICATION_NUM)) {
                builder.checkReplicas(
                        new TableProperties(checked).replicationNum(),
                        tablets.candidates().size());
            }
            TableProperties changed = known.properties().with(checked);
            journal.appendAndWait(new ChangeTable(known.databaseId(), known.id(), null, null, changed, null, null));
        }
    }

    @Override
    public void addPartitions(String database, String table, List<PartitionDefinition> definitions) {
        try (Claims.Claim claim = claim(database, table)) {
            partitions.add(get(database, table), definitions);
        }
    }

    @Override
    public boolean dropPartition(String database, String table, String partition, boolean ifExists) {
        try (Claims.Claim claim = claim(database, table)) {
            return partitions.drop(get(database, table), partition, ifExists);
        }
    }

    @Override
    public void renamePartition(String database, String table, String partition, String newName) {
        try (Claims.Claim claim = claim(database, table)) {
            partitions.rename(get(database, table), partition, newName);
        }
    }

    @Override
    public void setPartitionProperties(
            String database, String table, List<String> names, Map<String, String> properties) {
        try (Claims.Claim claim = claim(database, table)) {
            partitions.setProperties(get(database, table), names, PropertyRules.check(properties));
        }
    }

    @Override
    public void setDefaultBuckets(String database, String table, CreateTableRequest.DistributionRequest distribution) {
        try (Claims.Claim claim = claim(database, table)) {
            OlapTable known = get(database, table);
            var changed = builder.distribution(
                    distribution,
                    known.columns(),
                    known.properties(),
                    tablets.candidates().size());
            if (changed.kind() != known.distribution().kind()
                    || !changed.columns().equals(known.distribution().columns())) {
                throw new ThetisException(
                        ErrorCode.INVALID_ARGUMENT,
                        "Only the number of buckets can change, not how rows are distributed");
            }
            journal.appendAndWait(new ChangeTable(known.databaseId(), known.id(), null, null, null, changed, null));
        }
    }

    @Override
    public void replaceTable(String database, String table, String replacement, boolean swap) {
        try (Claims.Claim claim = claim(database, table)) {
            OlapTable replaced = get(database, table);
            OlapTable other = get(database, replacement);
            if (replaced.id() == other.id()) {
                throw new ThetisException(ErrorCode.INVALID_ARGUMENT, "A table cannot replace itself: " + table);
            }
            journal.appendAndWait(new ReplaceTable(
                    replaced.databaseId(), replaced.id(), other.id(), replaced.name(), other.name(), swap));
            if (!swap) {
                tablets.dropTablets(replaced.partitions().values());
            }
        }
    }

    @Override
    public boolean createView(
            String database,
            String view,
            boolean ifNotExists,
            boolean orReplace,
            List<SchemaColumn> columns,
            String query,
            String comment) {
        try (Claims.Claim claim = claim(database, view)) {
            Database known = catalog.snapshot().getDatabase(database);
            builder.checkName(view);
            @Nullable Table before = known.findTable(view).orElse(null);
            if (before instanceof View existing && orReplace) {
                journal.appendAndWait(new SaveView(existing.redefined(columns, query, comment)));
                return true;
            }
            if (exists(known, view, ifNotExists)) {
                return false;
            }
            journal.appendAndWait(
                    new SaveView(new View(ids.next(), known.id(), view, comment, clock.millis(), columns, query)));
            return true;
        }
    }

    @Override
    public void alterView(String database, String view, List<SchemaColumn> columns, String query, String comment) {
        try (Claims.Claim claim = claim(database, view)) {
            Table known = catalog.snapshot().getTable(database, view);
            if (!(known instanceof View existing)) {
                throw notView(database, view);
            }
            journal.appendAndWait(new SaveView(existing.redefined(columns, query, comment)));
        }
    }

    private static ThetisException notView(String database, String name) {
        return new ThetisException(ErrorCode.INVALID_ARGUMENT, "'" + database + "." + name + "' is not VIEW");
    }

    @Override
    public boolean dropView(String database, String view, boolean ifExists) {
        try (Claims.Claim claim = claim(database, view)) {
            Optional<Table> found = findToDrop(database, view, ifExists);
            if (found.isEmpty()) {
                return false;
            }
            if (!(found.get() instanceof View)) {
                throw notView(database, view);
            }
            journal.appendAndWait(
                    new DropTable(found.get().databaseId(), found.get().id()));
            return true;
        }
    }
}
