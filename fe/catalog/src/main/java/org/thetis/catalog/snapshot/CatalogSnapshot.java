// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.snapshot;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.thetis.base.collection.PersistentSortedMap;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.base.text.NearestNames;
import org.thetis.catalog.object.AlterJob;
import org.thetis.catalog.object.Backend;
import org.thetis.catalog.object.Database;
import org.thetis.catalog.object.Frontend;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.RecycledObject;
import org.thetis.catalog.object.Role;
import org.thetis.catalog.object.Table;
import org.thetis.catalog.object.Transaction;
import org.thetis.catalog.object.User;
import org.thetis.catalog.object.UserIdentity;
import org.thetis.catalog.privilege.AccessChecker;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.schema.Tablet;

/**
 * Everything the cluster knows of itself at one moment. Immutable; a changed catalog shares all that did not change.
 *
 * @param nextId ids below it may be in use
 * @param tabletPlaces derived from the tables: where each tablet belongs
 * @param transactions by database
 * @param alterJobs schema changes under way and the newest finished ones, by id
 * @param recycleBin what was dropped and can be recovered
 */
@RecordBuilder
public record CatalogSnapshot(
        long clusterId,
        String token,
        long nextId,
        PersistentSortedMap<Long, Database> databases,
        PersistentSortedMap<String, Long> databaseIds,
        PersistentSortedMap<Long, TabletPlace> tabletPlaces,
        PersistentSortedMap<UserIdentity, User> users,
        PersistentSortedMap<String, Role> roles,
        PersistentSortedMap<String, String> globalVariables,
        PersistentSortedMap<Long, Backend> backends,
        PersistentSortedMap<String, Frontend> frontends,
        PersistentSortedMap<Long, DatabaseTransactions> transactions,
        PersistentSortedMap<Long, AlterJob> alterJobs,
        RecycleBin recycleBin)
        implements CatalogSnapshotBuilder.With {
    private static final int MAX_FINISHED_JOBS = 1000;

    public static final CatalogSnapshot EMPTY = new CatalogSnapshot(
            0,
            "",
            1,
            PersistentSortedMap.empty(),
            PersistentSortedMap.empty(),
            PersistentSortedMap.empty(),
            PersistentSortedMap.empty(),
            PersistentSortedMap.empty(),
            PersistentSortedMap.empty(),
            PersistentSortedMap.empty(),
            PersistentSortedMap.empty(),
            PersistentSortedMap.empty(),
            PersistentSortedMap.empty(),
            RecycleBin.EMPTY);

    /** Whether the cluster was set up: it has an id, a token and its first users. */
    public boolean isInitialized() {
        return clusterId != 0;
    }

    public AccessChecker accessChecker() {
        return new AccessChecker(users, roles);
    }

    // --- look-ups ---

    public Optional<Database> findDatabase(String name) {
        @Nullable Long id = databaseIds.get(name);
        return id == null ? Optional.empty() : databases.find(id);
    }

    public Optional<Database> findDatabase(long id) {
        return databases.find(id);
    }

    /** A database by name; fails with UNKNOWN_DATABASE and the nearest name. */
    public Database getDatabase(String name) {
        return findDatabase(name)
                .orElseThrow(() -> new ThetisException(
                        ErrorCode.UNKNOWN_DATABASE,
                        "Unknown database '" + name + "'" + NearestNames.suggestion(name, databaseIds.keys())));
    }

    /** A table or view by name; fails with UNKNOWN_DATABASE or UNKNOWN_TABLE and the nearest name. */
    public Table getTable(String database, String table) {
        return getDatabase(database).getTable(table);
    }

    public Optional<Table> findTable(long databaseId, long tableId) {
        return databases.find(databaseId).flatMap(database -> database.findTable(tableId));
    }

    public Optional<OlapTable> findOlapTable(long databaseId, long tableId) {
        return findTable(databaseId, tableId)
                .flatMap(table -> table instanceof OlapTable olap ? Optional.of(olap) : Optional.empty());
    }

    public Optional<TabletPlace> findTabletPlace(long tabletId) {
        return tabletPlaces.find(tabletId);
    }

    /** The tablet itself, through its place. */
    public Optional<Tablet> findTablet(long tabletId) {
        return findTabletPlace(tabletId).flatMap(place -> findPartition(place)
                .flatMap(partition -> partition.indexes().stream()
                        .filter(index -> index.indexId() == place.indexId())
                        .findFirst())
                .map(index -> index.tablets().get(place.bucket())));
    }

    public Optional<Partition> findPartition(TabletPlace place) {
        return findOlapTable(place.databaseId(), place.tableId())
                .flatMap(table -> table.findPartition(place.partitionId()));
    }

    public DatabaseTransactions transactionsOf(long databaseId) {
        @Nullable DatabaseTransactions found = transactions.get(databaseId);
        return found == null ? DatabaseTransactions.EMPTY : found;
    }

    /** Transactions of all databases that are committed but not visible. */
    public List<Transaction> runningTransactions() {
        List<Transaction> running = new ArrayList<>();
        for (Map.Entry<Long, DatabaseTransactions> entry : transactions) {
            running.addAll(entry.getValue().running().values());
        }
        return running;
    }

    /** The schema change that is under way for the table. */
    public Optional<AlterJob> findAlterJob(long tableId) {
        for (Map.Entry<Long, AlterJob> entry : alterJobs) {
            AlterJob job = entry.getValue();
            if (job.tableId() == tableId && !job.state().isFinal()) {
                return Optional.of(job);
            }
        }
        return Optional.empty();
    }

    // --- changes ---

    /** Sets who the cluster is. */
    public CatalogSnapshot withCluster(long id, String clusterToken) {
        return with(changes -> changes.clusterId(id).token(clusterToken));
    }

    /** Marks ids below the given one as possibly in use. */
    @Override
    public CatalogSnapshot withNextId(long id) {
        return with(changes -> changes.nextId(Math.max(nextId, id)));
    }

    /** Adds a database or replaces the one with its id, under whatever name it has now. */
    public CatalogSnapshot withDatabase(Database database) {
        PersistentSortedMap<String, Long> names = databaseIds;
        @Nullable Database before = databases.get(database.id());
        if (before != null && !before.name().equals(database.name())) {
            names = names.without(before.name());
        }
        if (before == null || !before.name().equals(database.name())) {
            names = names.with(database.name(), database.id());
        }
        PersistentSortedMap<Long, TabletPlace> places = tabletPlaces;
        if (before == null) {
            for (OlapTable table : database.olapTables()) {
                places = placesWith(places, table);
            }
        }
        return withDatabases(databases.with(database.id(), database), names, places, transactions);
    }

    /** Forgets a database with its tables and transactions. */
    public CatalogSnapshot withoutDatabase(long databaseId) {
        @Nullable Database database = databases.get(databaseId);
        if (database == null) {
            return this;
        }
        PersistentSortedMap<Long, TabletPlace> places = tabletPlaces;
        for (OlapTable table : database.olapTables()) {
            places = placesWithout(places, table);
        }
        return withDatabases(
                databases.without(databaseId),
                databaseIds.without(database.name()),
                places,
                transactions.without(databaseId));
    }

    /** Adds a table to its database or replaces the one with its id; nothing happens when the database is gone. */
    public CatalogSnapshot withTable(Table table) {
        @Nullable Database database = databases.get(table.databaseId());
        if (database == null) {
            return this;
        }
        PersistentSortedMap<Long, TabletPlace> places = tabletPlaces;
        if (database.tables().get(table.id()) instanceof OlapTable before) {
            places = placesWithout(places, before);
        }
        if (table instanceof OlapTable after) {
            places = placesWith(places, after);
        }
        return withDatabases(
                databases.with(database.id(), database.withTable(table)), databaseIds, places, transactions);
    }

    /** Changes a table in ways that leave its set of tablets as it is (versions, names, properties); cheap for large tables. */
    public CatalogSnapshot withTable(long databaseId, long tableId, UnaryOperator<OlapTable> change) {
        @Nullable Database database = databases.get(databaseId);
        if (database == null || !(database.tables().get(tableId) instanceof OlapTable table)) {
            return this;
        }
        Database changed = database.withTable(change.apply(table));
        return withDatabases(databases.with(databaseId, changed), databaseIds, tabletPlaces, transactions);
    }

    public CatalogSnapshot withoutTable(long databaseId, long tableId) {
        @Nullable Database database = databases.get(databaseId);
        if (database == null) {
            return this;
        }
        PersistentSortedMap<Long, TabletPlace> places = tabletPlaces;
        if (database.tables().get(tableId) instanceof OlapTable before) {
            places = placesWithout(places, before);
        }
        return withDatabases(
                databases.with(databaseId, database.withoutTable(tableId)), databaseIds, places, transactions);
    }

    private static PersistentSortedMap<Long, TabletPlace> placesWith(
            PersistentSortedMap<Long, TabletPlace> places, OlapTable table) {
        PersistentSortedMap<Long, TabletPlace> result = places;
        for (Partition partition : table.allPartitions()) {
            for (Partition.IndexTablets index : partition.indexes()) {
                for (int bucket = 0; bucket < index.tablets().size(); bucket++) {
                    TabletPlace place =
                            new TabletPlace(table.databaseId(), table.id(), partition.id(), index.indexId(), bucket);
                    result = result.with(index.tablets().get(bucket).id(), place);
                }
            }
        }
        return result;
    }

    private static PersistentSortedMap<Long, TabletPlace> placesWithout(
            PersistentSortedMap<Long, TabletPlace> places, OlapTable table) {
        PersistentSortedMap<Long, TabletPlace> result = places;
        for (Tablet tablet : table.tablets()) {
            result = result.without(tablet.id());
        }
        return result;
    }

    private CatalogSnapshot withDatabases(
            PersistentSortedMap<Long, Database> newDatabases,
            PersistentSortedMap<String, Long> newIds,
            PersistentSortedMap<Long, TabletPlace> newPlaces,
            PersistentSortedMap<Long, DatabaseTransactions> newTransactions) {
        return with(changes -> changes.databases(newDatabases)
                .databaseIds(newIds)
                .tabletPlaces(newPlaces)
                .transactions(newTransactions));
    }

    public CatalogSnapshot withUser(User user) {
        return withUsers(users.with(user.identity(), user));
    }

    public CatalogSnapshot withoutUser(UserIdentity identity) {
        return withUsers(users.without(identity));
    }

    public CatalogSnapshot withRole(Role role) {
        return withRoles(roles.with(role.name(), role));
    }

    public CatalogSnapshot withoutRole(String name) {
        return withRoles(roles.without(name));
    }

    public CatalogSnapshot withGlobalVariable(String name, String value) {
        return withGlobalVariables(globalVariables.with(name, value));
    }

    public CatalogSnapshot withoutGlobalVariable(String name) {
        return withGlobalVariables(globalVariables.without(name));
    }

    public CatalogSnapshot withBackend(Backend backend) {
        return withBackends(backends.with(backend.id(), backend));
    }

    public CatalogSnapshot withoutBackend(long id) {
        return withBackends(backends.without(id));
    }

    public CatalogSnapshot withFrontend(Frontend frontend) {
        return withFrontends(frontends.with(frontend.name(), frontend));
    }

    public CatalogSnapshot withoutFrontend(String name) {
        return withFrontends(frontends.without(name));
    }

    public CatalogSnapshot withTransaction(Transaction transaction) {
        return withTransactions(transactions.with(
                transaction.databaseId(),
                transactionsOf(transaction.databaseId()).with(transaction)));
    }

    public CatalogSnapshot withoutTransaction(long databaseId, long id) {
        DatabaseTransactions left = transactionsOf(databaseId).without(id);
        return withTransactions(
                left.byId().isEmpty() ? transactions.without(databaseId) : transactions.with(databaseId, left));
    }

    /** Adds a job or replaces the one with its id; of finished jobs only the newest are kept. */
    public CatalogSnapshot withAlterJob(AlterJob job) {
        PersistentSortedMap<Long, AlterJob> jobs = alterJobs.with(job.id(), job);
        List<AlterJob> done =
                jobs.values().stream().filter(known -> known.state().isFinal()).toList();
        for (int i = 0; i < done.size() - MAX_FINISHED_JOBS; i++) {
            jobs = jobs.without(done.get(i).id());
        }
        return withAlterJobs(jobs);
    }

    /** Puts something that was dropped where it can be recovered from. */
    public CatalogSnapshot withRecycled(RecycledObject object) {
        return withRecycleBin(recycleBin.with(object));
    }

    /** Takes something out of the recycle bin: it was recovered, or is gone for good. */
    public CatalogSnapshot withoutRecycled(long id) {
        return withRecycleBin(recycleBin.without(id));
    }
}
