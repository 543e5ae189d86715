// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.persist;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.thetis.base.collection.PersistentSortedMap;
import org.thetis.catalog.object.AlterJob;
import org.thetis.catalog.object.Backend;
import org.thetis.catalog.object.Database;
import org.thetis.catalog.object.Frontend;
import org.thetis.catalog.object.Grant;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.Privilege;
import org.thetis.catalog.object.Role;
import org.thetis.catalog.object.Scope;
import org.thetis.catalog.object.SecondaryIndex;
import org.thetis.catalog.object.Transaction;
import org.thetis.catalog.object.TransactionSource;
import org.thetis.catalog.object.TransactionStatus;
import org.thetis.catalog.object.User;
import org.thetis.catalog.object.UserIdentity;
import org.thetis.catalog.object.View;
import org.thetis.catalog.schema.DefaultValue;
import org.thetis.catalog.schema.Distribution;
import org.thetis.catalog.schema.IndexMeta;
import org.thetis.catalog.schema.KeysModel;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.schema.PartitionItem;
import org.thetis.catalog.schema.PartitionKey;
import org.thetis.catalog.schema.PartitionKind;
import org.thetis.catalog.schema.PartitionSpec;
import org.thetis.catalog.schema.PartitionValue;
import org.thetis.catalog.schema.Replica;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.catalog.schema.TableProperties;
import org.thetis.catalog.schema.Tablet;
import org.thetis.catalog.snapshot.CatalogSnapshot;
import org.thetis.catalog.type.DataType;

/** Makes plausible journal records of every kind for whatever the catalog holds at the moment. */
final class RandomHistory {
    private final Random random;
    private long nextId = 1000;

    RandomHistory(long seed) {
        this.random = new Random(seed);
    }

    JournalRecord next(CatalogSnapshot now) {
        List<Database> databases = now.databases().values();
        if (databases.isEmpty()) {
            return new SaveDatabase(nextId++, "db" + nextId, 5, Map.of("k", "v"));
        }
        Database database = databases.get(random.nextInt(databases.size()));
        List<OlapTable> tables = database.olapTables();
        if (tables.isEmpty()) {
            return new CreateTable(table(database.id()));
        }
        OlapTable table = tables.get(random.nextInt(tables.size()));
        List<Partition> partitions = table.partitions().values();
        long partition = partitions.isEmpty()
                ? -1
                : partitions.get(random.nextInt(partitions.size())).id();
        return switch (random.nextInt(34)) {
            case 0 -> new AllocateIds(nextId);
            case 1 -> new InitializeCluster(7, "token", "");
            case 2 -> new SaveFrontend(new Frontend("fe" + random.nextInt(3), "h", 1, 2, 3, 4, "FOLLOWER"));
            case 3 -> new DropFrontend("fe" + random.nextInt(3));
            case 4 ->
                new SaveBackend(Backend.joining(random.nextInt(4), "host", 9050).withPorts(1, 2, 3));
            case 5 -> new DropBackend(random.nextInt(4));
            case 6 ->
                random.nextInt(4) == 0
                        ? new DropDatabase(database.id(), nextId % 2)
                        : new SaveDatabase(nextId++, "db" + nextId, 6, Map.of());
            case 7 -> new CreateTable(table(database.id()));
            case 8 ->
                new SaveView(new View(
                        nextId++,
                        database.id(),
                        "v" + nextId,
                        "",
                        3,
                        List.of(SchemaColumn.of("a", DataType.INT, true)),
                        "SELECT 1"));
            case 9 ->
                random.nextInt(3) == 0
                        ? new DropTable(database.id(), table.id(), nextId % 2)
                        : ChangeTable.rename(table, "renamed" + nextId++);
            case 10 ->
                new ChangeTable(
                        database.id(),
                        table.id(),
                        null,
                        "comment",
                        table.properties().with(Map.of("compression", "ZSTD")),
                        Distribution.random(3),
                        null);
            case 11 ->
                new ReplacePartitions(
                        database.id(), table.id(), List.of(partition("p" + nextId)), List.of(partition), nextId % 2);
            case 12 -> new ChangePartition(database.id(), table.id(), partition, "q" + nextId++, Map.of("a", "b"), 1);
            case 13 ->
                new ReplaceTable(
                        database.id(),
                        table.id(),
                        tables.get(0).id(),
                        table.name(),
                        tables.get(0).name(),
                        random.nextBoolean());
            case 14 ->
                new SaveUser(User.of(new UserIdentity("u" + random.nextInt(3), "%"), "*AB")
                        .withGrants(Grant.add(List.of(), Scope.database("d"), Set.of(Privilege.SELECT)))
                        .withRoles(Set.of("r1")));
            case 15 -> new DropUser(new UserIdentity("u" + random.nextInt(3), "%"));
            case 16 ->
                new SaveRole(new Role(
                        "r" + random.nextInt(3), List.of(new Grant(Scope.GLOBAL, Set.of(Privilege.LOAD))), "c"));
            case 17 -> new DropRole("r" + random.nextInt(3));
            case 18 -> new SetGlobalVariables(Map.of("x" + random.nextInt(3), "1"), List.of("x" + random.nextInt(3)));
            case 19 ->
                new PrecommitTransaction(
                        transaction(table, partition).precommitted(writes(table), Map.of("a", "1"), 60, 9));
            case 20 -> new CommitTransaction(committed(table, partition));
            case 21 -> finishOrAbort(now, database.id());
            case 22 ->
                new ForgetTransactions(
                        database.id(),
                        now.transactionsOf(database.id()).byId().keys().stream()
                                .limit(2)
                                .toList());
            case 23 ->
                new ChangeReplicas(table.tablets().stream()
                        .limit(1)
                        .map(tablet -> new ChangeReplicas.ReplicaChange(
                                tablet.id(), 1, random.nextInt(3) - 1, 8, random.nextBoolean()))
                        .toList());
            case 24 ->
                new ChangeColumns(
                        job(table, AlterJob.State.FINISHED),
                        List.of(table.baseIndex().copy(table.baseIndex().id(), "base" + nextId)),
                        table.properties().with(Map.of("bloom_filter_columns", "s")));
            case 25 ->
                new SaveTemporaryPartitions(
                        database.id(), table.id(), List.of(partition("tp" + nextId)), temporaryOf(table));
            case 26 -> {
                Map<Long, String> names = new HashMap<>();
                temporaryOf(table).forEach(id -> names.put(id, "swapped" + nextId++));
                yield new SwapPartitions(database.id(), table.id(), List.of(partition), names, nextId % 2);
            }
            case 27 -> new SaveAlterJob(job(table, AlterJob.State.PENDING));
            case 28 -> recycled(now) < 0 ? new AllocateIds(nextId) : new ForgetRecycled(List.of(recycled(now)));
            case 29 -> recycled(now) < 0 ? new AllocateIds(nextId) : new Recover(recycled(now), "back" + nextId++);
            default -> schemaChange(now, table);
        };
    }

    private static List<Long> temporaryOf(OlapTable table) {
        return table.temporaryPartitions().values().stream()
                .map(Partition::id)
                .limit(1)
                .toList();
    }

    private static long recycled(CatalogSnapshot now) {
        return now.recycleBin().objects().keys().stream().findFirst().orElse(-1L);
    }

    /** The next step of the table's heavy schema change, or its beginning. */
    private JournalRecord schemaChange(CatalogSnapshot now, OlapTable table) {
        Optional<AlterJob> found = now.alterJobs().values().stream()
                .filter(job -> job.tableId() == table.id() && !job.state().isFinal())
                .findFirst();
        if (found.isEmpty()) {
            return new SaveAlterJob(job(table, AlterJob.State.PENDING));
        }
        AlterJob job = found.get();
        if (job.state() == AlterJob.State.PENDING) {
            Map<Long, Partition.IndexTablets> tablets = new HashMap<>();
            table.partitions().values().forEach(partition -> tablets.put(partition.id(), tablets(job.indexId())));
            return new StartSchemaChange(job.inState(AlterJob.State.WAITING_TXN, -1, Map.of()), tablets);
        }
        return random.nextBoolean()
                ? new FinishSchemaChange(job.id(), 13, random.nextBoolean() ? table.properties() : null)
                : new CancelSchemaChange(job.id(), 14, "why");
    }

    private AlterJob job(OlapTable table, AlterJob.State state) {
        IndexMeta base = table.baseIndex();
        long shadow = nextId++;
        return new AlterJob(
                nextId++,
                table.databaseId(),
                table.id(),
                table.name(),
                shadow,
                base.id(),
                base.schemaVersion() + 1,
                -1,
                state,
                10,
                state.isFinal() ? 11 : -1,
                1000,
                "",
                state.isFinal() ? null : base.copy(shadow, "shadow"),
                Map.of());
    }

    private Partition.IndexTablets tablets(long indexId) {
        List<Tablet> tablets = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            tablets.add(new Tablet(nextId++, List.of(Replica.healthy(nextId++, 1), Replica.healthy(nextId++, 2))));
        }
        return new Partition.IndexTablets(indexId, tablets);
    }

    private JournalRecord finishOrAbort(CatalogSnapshot now, long databaseId) {
        List<Transaction> running = now.transactionsOf(databaseId).running().values();
        if (running.isEmpty()) {
            return new AllocateIds(nextId);
        }
        Transaction transaction = running.get(random.nextInt(running.size()));
        return transaction.status() == TransactionStatus.COMMITTED
                ? new FinishTransaction(
                        databaseId,
                        transaction.id(),
                        10,
                        List.of(new FinishTransaction.MissedReplica(
                                transaction.tablets().isEmpty()
                                        ? 0
                                        : transaction.tablets().get(0).tabletId(),
                                2)))
                : new AbortTransaction(databaseId, transaction.id(), "why", 11);
    }

    private Transaction transaction(OlapTable table, long partition) {
        return new Transaction(
                nextId++,
                table.databaseId(),
                List.of(table.id()),
                "label" + random.nextInt(50),
                "FE: x",
                TransactionSource.BACKEND_STREAMING,
                "r",
                TransactionStatus.PREPARE,
                1000,
                1,
                -1,
                -1,
                -1,
                List.of(),
                List.of(),
                "",
                Map.of());
    }

    private Transaction committed(OlapTable table, long partition) {
        List<Transaction.PartitionVersion> versions = table.findPartition(partition)
                .map(known ->
                        List.of(new Transaction.PartitionVersion(table.id(), partition, known.committedVersion() + 1)))
                .orElse(List.of());
        return transaction(table, partition).committed(versions, writes(table), Map.of("rows", "3"), 12);
    }

    private static List<Transaction.TabletWrite> writes(OlapTable table) {
        return table.tablets().stream()
                .map(tablet -> new Transaction.TabletWrite(tablet.id(), List.of(1L, 2L)))
                .toList();
    }

    private OlapTable table(long databaseId) {
        long id = nextId++;
        List<SchemaColumn> columns = List.of(
                SchemaColumn.of("k", DataType.DATE, false).withKey(true).withUniqueId(0),
                SchemaColumn.of("s", DataType.varchar(20), true)
                        .withUniqueId(1)
                        .withDefaultValue(DefaultValue.literal("x\"y"))
                        .withComment("c"),
                SchemaColumn.of("d", DataType.decimal(10, 2), true)
                        .withUniqueId(2)
                        .withDefaultValue(DefaultValue.NULL));
        return new OlapTable(
                        id,
                        databaseId,
                        "t" + id,
                        "it's",
                        4,
                        List.of(IndexMeta.of(nextId++, "t" + id, 5, KeysModel.DUPLICATE, columns, 1)),
                        List.of(new SecondaryIndex(
                                nextId++, "i", "INVERTED", List.of("s"), Map.of("parser", "english"), "")),
                        new PartitionSpec(PartitionKind.RANGE, List.of("k")),
                        Distribution.hash(List.of("k"), 2),
                        new TableProperties(Map.of("replication_num", "2")),
                        PersistentSortedMap.<Long, Partition>empty(),
                        PersistentSortedMap.<Long, Partition>empty())
                .withPartition(partition("p" + nextId));
    }

    private Partition partition(String name) {
        PartitionItem item = random.nextBoolean()
                ? new PartitionItem.Range(
                        PartitionKey.of(PartitionValue.MIN),
                        PartitionKey.of(PartitionValue.of(BigInteger.valueOf(nextId))))
                : new PartitionItem.InList(
                        List.of(PartitionKey.of(PartitionValue.NULL), PartitionKey.of(PartitionValue.of("text"))));
        return new Partition(
                nextId++, name, item, Distribution.hash(List.of("k"), 2), 2, Map.of(), 1, 2, 1, List.of(tablets(9)));
    }
}
