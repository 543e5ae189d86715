// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.alter;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.thetis.base.config.TableSettings;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.base.thread.Clock;
import org.thetis.catalog.object.AlterJob;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.persist.CancelSchemaChange;
import org.thetis.catalog.persist.ChangeColumns;
import org.thetis.catalog.persist.SaveAlterJob;
import org.thetis.catalog.schema.IndexMeta;
import org.thetis.catalog.snapshot.CatalogReader;
import org.thetis.cluster.journal.IdAllocator;
import org.thetis.cluster.journal.Journal;

/** ALTER TABLE of columns: light changes as one journal record, heavy ones handed to {@link SchemaChangeDriver}. */
public final class JournaledSchemaChanges implements SchemaChangeCommands {
    private static final DateTimeFormatter LITERAL = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

    private final TableSettings settings;
    private final Journal journal;
    private final CatalogReader catalog;
    private final IdAllocator ids;
    private final Claims claims;
    private final SchemaChangeDriver driver;
    private final Clock clock;

    public JournaledSchemaChanges(
            TableSettings settings,
            Journal journal,
            CatalogReader catalog,
            IdAllocator ids,
            Claims claims,
            SchemaChangeDriver driver,
            Clock clock) {
        this.settings = settings;
        this.journal = journal;
        this.catalog = catalog;
        this.ids = ids;
        this.claims = claims;
        this.driver = driver;
        this.clock = clock;
    }

    /** Fails when the table's columns are being changed: nothing else may change it then. */
    static void checkNormal(CatalogReader catalog, OlapTable table) {
        catalog.snapshot().findAlterJob(table.id()).ifPresent(job -> {
            throw new ThetisException(
                    ErrorCode.INVALID_ARGUMENT,
                    "Table[" + table.name() + "]'s state(SCHEMA_CHANGE) is not NORMAL. Do not allow doing ALTER ops: "
                            + job.advice());
        });
    }

    @Override
    public void change(String database, String table, List<ColumnChange> changes) {
        try (Claims.Claim claim = claims.take(database + "." + table)) {
            OlapTable known = catalog.snapshot().getDatabase(database).getOlapTable(table);
            checkNormal(catalog, known);
            String now = LITERAL.format(Instant.ofEpochMilli(clock.millis()).atZone(ZoneId.systemDefault()));
            ColumnPlan plan = new ColumnPlan(known, now);
            plan.apply(changes);
            if (plan.isHeavy()) {
                IndexMeta shadow = plan.index()
                        .copy(ids.next(), "__doris_shadow_" + known.baseIndex().name());
                AlterJob job = job(known, shadow, AlterJob.State.PENDING, shadow);
                journal.appendAndWait(new SaveAlterJob(job));
                driver.wake();
            } else {
                IndexMeta index = plan.index();
                AlterJob job = job(known, index, AlterJob.State.FINISHED, null);
                journal.appendAndWait(new ChangeColumns(job, List.of(index), plan.properties()));
            }
        }
    }

    private AlterJob job(OlapTable table, IndexMeta index, AlterJob.State state, @Nullable IndexMeta shadow) {
        long now = clock.millis();
        return new AlterJob(
                ids.next(),
                table.databaseId(),
                table.id(),
                table.name(),
                index.id(),
                table.baseIndex().id(),
                index.schemaVersion(),
                -1,
                state,
                now,
                state.isFinal() ? now : -1,
                settings.alterTableTimeoutSecond() * 1000L,
                "",
                shadow,
                Map.of());
    }

    @Override
    public String progress(AlterJob job) {
        return driver.progressOf(job);
    }

    @Override
    public void cancel(String database, String table, List<Long> jobIds) {
        OlapTable known = catalog.snapshot().getDatabase(database).getOlapTable(table);
        Optional<AlterJob> job = catalog.snapshot()
                .findAlterJob(known.id())
                .filter(found -> jobIds.isEmpty() || jobIds.contains(found.id()));
        if (job.isEmpty()) {
            throw new ThetisException(
                    ErrorCode.INVALID_ARGUMENT, "Table[" + table + "] is not under SCHEMA_CHANGE, nothing to cancel");
        }
        journal.appendAndWait(new CancelSchemaChange(job.get().id(), clock.millis(), "user cancelled"));
        boolean cancelled = catalog.snapshot()
                .alterJobs()
                .find(job.get().id())
                .map(found -> found.state() == AlterJob.State.CANCELLED)
                .orElse(false);
        if (!cancelled) {
            throw new ThetisException(
                    ErrorCode.INVALID_ARGUMENT, "the schema change of table " + table + " finished meanwhile");
        }
        driver.discard(known, job.get());
    }
}
