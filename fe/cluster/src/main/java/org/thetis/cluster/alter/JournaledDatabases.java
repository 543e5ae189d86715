// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.alter;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.thetis.base.config.TableSettings;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.base.thread.Clock;
import org.thetis.catalog.object.Database;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.persist.DropDatabase;
import org.thetis.catalog.persist.SaveDatabase;
import org.thetis.catalog.snapshot.CatalogReader;
import org.thetis.cluster.journal.IdAllocator;
import org.thetis.cluster.journal.Journal;
import org.thetis.cluster.tablet.TabletCreator;

/** Database statements as journal records. */
public final class JournaledDatabases implements DatabaseCommands {
    private static final int MAX_NAME_LENGTH = 256;
    private static final Set<String> RESERVED = Set.of("information_schema", "mysql", "__internal_schema");

    private final Journal journal;
    private final CatalogReader catalog;
    private final IdAllocator ids;
    private final TabletCreator tablets;
    private final Clock clock;
    private final Trash trash;
    private final Claims claims = new Claims(Duration.ofSeconds(30));

    public JournaledDatabases(
            TableSettings settings,
            Journal journal,
            CatalogReader catalog,
            IdAllocator ids,
            TabletCreator tablets,
            Clock clock) {
        this.trash = new Trash(settings, catalog, clock);
        this.journal = journal;
        this.catalog = catalog;
        this.ids = ids;
        this.tablets = tablets;
        this.clock = clock;
    }

    @Override
    public boolean create(String name, boolean ifNotExists, Map<String, String> properties) {
        checkName(name);
        try (Claims.Claim claim = claims.take(name)) {
            boolean exists = RESERVED.contains(name.toLowerCase(Locale.ROOT))
                    || catalog.snapshot().findDatabase(name).isPresent();
            if (exists) {
                if (ifNotExists) {
                    return false;
                }
                throw alreadyThere(name);
            }
            journal.appendAndWait(new SaveDatabase(ids.next(), name, clock.millis(), properties));
            return true;
        }
    }

    private static ThetisException alreadyThere(String name) {
        return new ThetisException(ErrorCode.DATABASE_EXISTS, "Can't create database '" + name + "'; database exists");
    }

    private static void checkName(String name) {
        if (name.length() > MAX_NAME_LENGTH || !name.matches("[\\p{L}_][-\\p{L}\\p{N}_$]*")) {
            throw new ThetisException(ErrorCode.BAD_DATABASE_NAME, "Incorrect database name '" + name + "'");
        }
    }

    @Override
    public boolean drop(String name, boolean ifExists, boolean force) {
        checkNotReserved(name);
        try (Claims.Claim claim = claims.take(name)) {
            Optional<Database> found = catalog.snapshot().findDatabase(name);
            if (found.isEmpty()) {
                if (ifExists) {
                    return false;
                }
                throw new ThetisException(
                        ErrorCode.DROP_UNKNOWN_DATABASE, "Can't drop database '" + name + "'; database doesn't exist");
            }
            Database database = found.get();
            int unfinished = catalog.snapshot().transactionsOf(database.id()).numRunning();
            if (!force && unfinished > 0) {
                throw new ThetisException(
                        ErrorCode.INVALID_ARGUMENT,
                        "There are still some transactions in the COMMITTED state waiting to be completed. The database ["
                                + name
                                + "] cannot be dropped. If you want to forcibly drop(cannot be recovered), please use \"DROP database FORCE\".");
            }
            long recycleMillis = trash.recycleMillis(force);
            journal.appendAndWait(new DropDatabase(database.id(), recycleMillis));
            if (recycleMillis <= 0) {
                for (OlapTable table : database.olapTables()) {
                    tablets.dropTablets(table.allPartitions());
                }
            }
            return true;
        }
    }

    private static void checkNotReserved(String name) {
        if (RESERVED.contains(name.toLowerCase(Locale.ROOT))) {
            throw new ThetisException(
                    ErrorCode.ACCESS_DENIED_DATABASE,
                    "Database '" + name + "' belongs to the system and cannot be changed");
        }
    }

    @Override
    public void rename(String name, String newName) {
        checkNotReserved(name);
        checkName(newName);
        try (Claims.Claim claim = claims.take(newName)) {
            Database database = catalog.snapshot().getDatabase(name);
            if (RESERVED.contains(newName.toLowerCase(Locale.ROOT))
                    || catalog.snapshot().findDatabase(newName).isPresent()) {
                throw alreadyThere(newName);
            }
            journal.appendAndWait(
                    new SaveDatabase(database.id(), newName, database.createMillis(), database.properties()));
        }
    }

    @Override
    public void setProperties(String name, Map<String, String> properties) {
        checkNotReserved(name);
        try (Claims.Claim claim = claims.take(name)) {
            Database database = catalog.snapshot().getDatabase(name);
            Map<String, String> all = new TreeMap<>(database.properties());
            all.putAll(properties);
            journal.appendAndWait(new SaveDatabase(database.id(), name, database.createMillis(), all));
        }
    }
}
