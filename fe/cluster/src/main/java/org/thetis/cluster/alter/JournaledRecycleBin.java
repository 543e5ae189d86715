// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.alter;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.thetis.base.config.TableSettings;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.base.thread.Clock;
import org.thetis.base.thread.Executors;
import org.thetis.catalog.object.Database;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.RecycledObject;
import org.thetis.catalog.persist.ForgetRecycled;
import org.thetis.catalog.persist.Recover;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.schema.PartitionItem;
import org.thetis.catalog.snapshot.CatalogReader;
import org.thetis.cluster.journal.Journal;
import org.thetis.cluster.tablet.TabletCreator;

/** Recovers what was dropped, and erases it when its time is over. */
public final class JournaledRecycleBin implements RecycleCommands, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(JournaledRecycleBin.class);
    private static final long ROUND_SECONDS = 2;

    private final TableSettings settings;
    private final Journal journal;
    private final CatalogReader catalog;
    private final TabletCreator tablets;
    private final Claims claims;
    private final Clock clock;
    private final ScheduledExecutorService worker = Executors.scheduled("recycle-bin", 1);

    public JournaledRecycleBin(
            TableSettings settings,
            Journal journal,
            CatalogReader catalog,
            TabletCreator tablets,
            Claims claims,
            Clock clock) {
        this.settings = settings;
        this.journal = journal;
        this.catalog = catalog;
        this.tablets = tablets;
        this.claims = claims;
        this.clock = clock;
    }

    /** Begins to erase what is too old. */
    public void start() {
        worker.scheduleWithFixedDelay(this::round, ROUND_SECONDS, ROUND_SECONDS, TimeUnit.SECONDS);
    }

    private void round() {
        try {
            long oldest = clock.millis() - settings.catalogTrashExpireSecond() * 1000L;
            List<RecycledObject> expired = catalog.snapshot().recycleBin().objects().values().stream()
                    .filter(object -> object.dropMillis() <= oldest)
                    .toList();
            if (!expired.isEmpty()) {
                journal.appendAndWait(new ForgetRecycled(
                        expired.stream().map(RecycledObject::id).toList()));
                expired.forEach(object -> tablets.dropTablets(object.partitions()));
                LOG.info("Dropped objects were erased: number={}", expired.size());
            }
        } catch (ThetisException e) {
            LOG.warn("Dropped objects could not be erased: reason={}", e.text());
        }
    }

    @Override
    public void recoverDatabase(String name, @Nullable Long id, @Nullable String newName) {
        String target = newName == null ? name : newName;
        try (Claims.Claim claim = claims.take(target)) {
            RecycledObject object = catalog.snapshot()
                    .recycleBin()
                    .findDatabase(name, id)
                    .orElseThrow(() -> new ThetisException(
                            ErrorCode.UNKNOWN_DATABASE, "Unknown database '" + name + "' in the recycle bin"));
            if (catalog.snapshot().findDatabase(target).isPresent()) {
                throw new ThetisException(ErrorCode.DATABASE_EXISTS, "Database[" + target + "] already exist.");
            }
            recover(object, target);
        }
    }

    /** The record is a no-op when the object was erased meanwhile. */
    private void recover(RecycledObject object, String name) {
        journal.appendAndWait(new Recover(object.id(), name));
        if (catalog.snapshot().recycleBin().objects().find(object.id()).isPresent()) {
            throw new ThetisException(ErrorCode.INTERNAL, "'" + object.name() + "' was not recovered");
        }
    }

    @Override
    public void recoverTable(String database, String name, @Nullable Long id, @Nullable String newName) {
        String target = newName == null ? name : newName;
        try (Claims.Claim claim = claims.take(database + "." + target)) {
            Database known = catalog.snapshot().getDatabase(database);
            RecycledObject object = catalog.snapshot()
                    .recycleBin()
                    .findTable(known.id(), name, id)
                    .orElseThrow(() -> new ThetisException(
                            ErrorCode.UNKNOWN_TABLE,
                            "Unknown table '" + name + "' of database '" + database + "' in the recycle bin"));
            if (known.findTable(target).isPresent()) {
                throw new ThetisException(ErrorCode.ALREADY_EXISTS, "Table[" + target + "] already exist.");
            }
            recover(object, target);
        }
    }

    @Override
    public void recoverPartition(
            String database, String table, String name, @Nullable Long id, @Nullable String newName) {
        String target = newName == null ? name : newName;
        try (Claims.Claim claim = claims.take(database + "." + table)) {
            OlapTable known = catalog.snapshot().getDatabase(database).getOlapTable(table);
            JournaledSchemaChanges.checkNormal(catalog, known);
            RecycledObject object = catalog.snapshot()
                    .recycleBin()
                    .findPartition(known, name, id)
                    .orElseThrow(() -> new ThetisException(
                            ErrorCode.UNKNOWN_PARTITION,
                            "No partition named '" + name + "' found in recycle bin that belongs to table '" + table
                                    + "'"));
            if (known.findPartition(target).isPresent()) {
                throw new ThetisException(
                        ErrorCode.DUPLICATE_PARTITION,
                        "partition[" + target + "] already exist in table[" + table + "]");
            }
            checkFits(known, object);
            recover(object, target);
        }
    }

    private static void checkFits(OlapTable table, RecycledObject object) {
        @Nullable Partition recovered = object.partition();
        for (Partition partition : table.partitions().values()) {
            if (recovered != null && PartitionItem.overlap(partition.item(), recovered.item())) {
                throw new ThetisException(
                        ErrorCode.INVALID_ARGUMENT,
                        "Can not recover partition[" + object.name() + "]: it overlaps with partition "
                                + partition.name());
            }
        }
        boolean sameIndex = recovered != null
                && recovered.indexes().get(0).indexId() == table.baseIndex().id();
        if (!sameIndex) {
            throw new ThetisException(
                    ErrorCode.INVALID_ARGUMENT,
                    "Can not recover partition[" + object.name() + "]: the columns of the table were changed since");
        }
    }

    @Override
    public void close() {
        Executors.stop(worker, Duration.ofSeconds(1));
    }
}
