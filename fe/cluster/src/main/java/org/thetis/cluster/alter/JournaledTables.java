// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.alter;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
import org.thetis.catalog.persist.ReplaceTable;
import org.thetis.catalog.persist.SaveView;
import org.thetis.catalog.schema.ColumnRules;
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
            "in_memory",
            "bloom_filter_columns",
            "bloom_filter_fpp",
            "skip_write_index_on_load");

    private final Journal journal;
    private final CatalogReader catalog;
    private final IdAllocator ids;
    private final TabletCreator tablets;
    private final Clock clock;
    private final TableBuilder builder;
    private final PartitionCommands partitions;
    private final PartitionSwaps swaps;
    private final Trash trash;
    private final Claims claims;

    public JournaledTables(
            TableSettings settings,
            Journal journal,
            CatalogReader catalog,
            IdAllocator ids,
            TabletCreator tablets,
            Claims claims,
            Clock clock) {
        this.claims = claims;
        this.journal = journal;
        this.catalog = catalog;
        this.ids = ids;
        this.tablets = tablets;
        this.clock = clock;
        this.builder = new TableBuilder(settings, ids, clock);
        this.partitions = new PartitionCommands(journal, tablets, builder);
        this.swaps = new PartitionSwaps(journal, catalog, ids, tablets, partitions);
        this.trash = new Trash(settings, catalog, clock);
    }

    /** Undoes what a stop of the front end cut short. */
    public void start() {
        swaps.dropAbandoned();
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
            if (catalog.snapshot().findDatabase(table.databaseId()).isEmpty()) {
                created.discard();
                throw new ThetisException(ErrorCode.UNKNOWN_DATABASE, "the database was dropped meanwhile");
            }
            created.journal(journal, new CreateTable(complete));
        }
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
                    PersistentSortedMap.empty(),
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
            if (!(found.get() instanceof OlapTable)) {
                throw new ThetisException(
                        ErrorCode.NOT_OLAP_TABLE, "'" + database + "." + table + "' is not a table, use DROP VIEW");
            }
            OlapTable olap = get(database, table);
            long recycleMillis = trash.recycleMillis(force);
            if (recycleMillis > 0) {
                trash.awaitPublished(olap, "table");
                checkNotAltered(olap);
                // What was published while we waited belongs to what can be recovered.
                olap = get(database, table);
            }
            journal.appendAndWait(new DropTable(olap.databaseId(), olap.id(), recycleMillis));
            if (recycleMillis <= 0) {
                tablets.dropTablets(olap.allPartitions());
            }
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

    /** The table, whose columns are not being changed. */
    private OlapTable getNormal(String database, String table) {
        OlapTable known = get(database, table);
        checkNotAltered(known);
        return known;
    }

    private void checkNotAltered(OlapTable table) {
        JournaledSchemaChanges.checkNormal(catalog, table);
    }

    @Override
    public void truncate(String database, String table, List<String> names) {
        try (Claims.Claim claim = claim(database, table)) {
            partitions.truncate(getNormal(database, table), names);
        }
    }

    @Override
    public void rename(String database, String table, String newName) {
        try (Claims.Claim claim = claim(database, newName)) {
            Database known = catalog.snapshot().getDatabase(database);
            Table found = known.getTable(table);
            if (found instanceof OlapTable olap) {
                checkNotAltered(olap);
            }
            builder.checkName(newName);
            exists(known, newName, false);
            journal.appendAndWait(ChangeTable.rename(found, newName));
        }
    }

    @Override
    public void renameColumn(String database, String table, String column, String newName) {
        try (Claims.Claim claim = claim(database, table)) {
            OlapTable known = getNormal(database, table);
            SchemaColumn before = known.getColumn(column);
            if (!before.visible()) {
                throw ThetisException.notSupported("Renaming the hidden column '" + column + "'");
            }
            if (!before.name().equalsIgnoreCase(newName)
                    && known.findColumn(newName).isPresent()) {
                throw new ThetisException(ErrorCode.DUPLICATE_COLUMN, "Duplicate column name '" + newName + "'");
            }
            List<String> fixed = new ArrayList<>(known.partitionSpec().columns());
            fixed.addAll(known.distribution().columns());
            known.secondaryIndexes().forEach(index -> fixed.addAll(index.columns()));
            if (fixed.stream().anyMatch(before.name()::equalsIgnoreCase)) {
                throw ThetisException.notSupported(
                        "Renaming the column '" + column + "', which partitions, buckets or indexes use");
            }
            SchemaColumn after = before.withName(newName);
            ColumnRules.checkNames(List.of(after));
            changeColumn(known, before, after, known.properties().withColumnRenamed(before.name(), newName));
        }
    }

    private void changeColumn(
            OlapTable table, SchemaColumn before, SchemaColumn after, @Nullable TableProperties properties) {
        List<IndexMeta> indexes = table.indexes().stream()
                .map(index -> index.withColumns(
                        index.schemaVersion() + 1,
                        index.columns().stream()
                                .map(column -> column.uniqueId() == before.uniqueId() ? after : column)
                                .toList(),
                        index.nextUniqueId()))
                .toList();
        journal.appendAndWait(new ChangeTable(table.databaseId(), table.id(), null, null, properties, null, indexes));
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
            OlapTable known = getNormal(database, table);
            SchemaColumn before = known.getColumn(column);
            changeColumn(known, before, before.withComment(comment), null);
        }
    }

    @Override
    public void setProperties(String database, String table, Map<String, String> properties) {
        try (Claims.Claim claim = claim(database, table)) {
            OlapTable known = getNormal(database, table);
            Map<String, String> checked = PropertyRules.check(properties);
            // Segments written from now on have the filters; a scan uses those it finds.
            TableBuilder.checkBloomFilters(
                    known.keysModel(), known.baseIndex().visibleColumns(), new TableProperties(checked));
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
            boolean filters = checked.keySet().stream().anyMatch(key -> key.startsWith("bloom_filter_"));
            journal.appendAndWait(new ChangeTable(
                    known.databaseId(), known.id(), null, null, changed, null, filters ? nextVersion(known) : null));
        }
    }

    /** The same columns under the next schema version, which back ends take over from loads. */
    private static List<IndexMeta> nextVersion(OlapTable table) {
        return table.indexes().stream()
                .map(index -> index.withColumns(index.schemaVersion() + 1, index.columns(), index.nextUniqueId()))
                .toList();
    }

    @Override
    public void addPartitions(
            String database,
            String table,
            List<PartitionDefinition> definitions,
            boolean temporary,
            CreateTableRequest.@Nullable DistributionRequest distribution) {
        try (Claims.Claim claim = claim(database, table)) {
            partitions.add(getNormal(database, table), definitions, temporary, distribution);
        }
    }

    @Override
    public void dropPartitions(
            String database, String table, List<String> names, boolean ifExists, boolean temporary, boolean force) {
        try (Claims.Claim claim = claim(database, table)) {
            OlapTable known = getNormal(database, table);
            long recycleMillis = temporary ? 0 : trash.recycleMillis(force);
            if (recycleMillis > 0) {
                trash.awaitPublished(known, "partition");
                known = getNormal(database, table);
            }
            partitions.drop(known, names, ifExists, temporary, recycleMillis);
        }
    }

    @Override
    public void replacePartitions(
            String database,
            String table,
            List<String> names,
            List<String> temporaryNames,
            boolean strictRange,
            boolean useTemporaryNames,
            boolean force) {
        try (Claims.Claim claim = claim(database, table)) {
            OlapTable known = getNormal(database, table);
            long recycleMillis = trash.recycleMillis(force);
            if (recycleMillis > 0) {
                trash.awaitPublished(known, "partition");
                known = getNormal(database, table);
            }
            swaps.replace(known, names, temporaryNames, strictRange, useTemporaryNames, recycleMillis);
        }
    }

    @Override
    public Overwrite beginOverwrite(String database, String table, List<String> names) {
        try (Claims.Claim claim = claim(database, table)) {
            return swaps.begin(getNormal(database, table), names);
        }
    }

    @Override
    public void finishOverwrite(Overwrite overwrite) {
        OlapTable table = find(overwrite);
        String database = catalog.snapshot()
                .findDatabase(overwrite.databaseId())
                .map(Database::name)
                .orElse("");
        try (Claims.Claim claim = claim(database, table.name())) {
            swaps.finish(find(overwrite), overwrite);
        }
    }

    private OlapTable find(Overwrite overwrite) {
        return catalog.snapshot()
                .findOlapTable(overwrite.databaseId(), overwrite.tableId())
                .orElseThrow(() ->
                        new ThetisException(ErrorCode.INSERT_FAILED, "the table was dropped during the overwrite"));
    }

    @Override
    public void abandonOverwrite(Overwrite overwrite) {
        swaps.abandon(overwrite);
    }

    @Override
    public void renamePartition(String database, String table, String partition, String newName) {
        try (Claims.Claim claim = claim(database, table)) {
            partitions.rename(getNormal(database, table), partition, newName);
        }
    }

    @Override
    public void setPartitionProperties(
            String database, String table, List<String> names, Map<String, String> properties) {
        try (Claims.Claim claim = claim(database, table)) {
            partitions.setProperties(getNormal(database, table), names, PropertyRules.check(properties));
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
            OlapTable replaced = getNormal(database, table);
            OlapTable other = getNormal(database, replacement);
            if (replaced.id() == other.id()) {
                throw new ThetisException(ErrorCode.INVALID_ARGUMENT, "A table cannot replace itself: " + table);
            }
            try (TabletCreator.Replacing old = tablets.replacing(replaced.allPartitions())) {
                journal.appendAndWait(new ReplaceTable(
                        replaced.databaseId(), replaced.id(), other.id(), replaced.name(), other.name(), swap));
                if (!swap) {
                    old.replaced();
                }
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
                    new DropTable(found.get().databaseId(), found.get().id(), 0));
            return true;
        }
    }
}
