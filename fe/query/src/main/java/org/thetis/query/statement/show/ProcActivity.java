// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import java.util.List;
import java.util.Optional;
import org.thetis.catalog.object.AlterJob;
import org.thetis.catalog.object.Database;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.Transaction;
import org.thetis.cluster.node.BackendState;
import org.thetis.query.result.SizeText;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.Session;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.StatementServices;

/** SHOW PROC of what happens: transactions, jobs, queries; and of counts and disks. */
final class ProcActivity {
    private final StatementServices services;

    ProcActivity(StatementServices services) {
        this.services = services;
    }

    StatementResult statistic() {
        ShowRows rows =
                new ShowRows("DbId", "DbName", "TableNum", "PartitionNum", "IndexNum", "TabletNum", "ReplicaNum");
        long[] all = new long[5];
        for (Database database : services.snapshot().databases().values()) {
            long[] own = new long[5];
            own[0] = database.tables().size();
            for (OlapTable table : database.olapTables()) {
                own[1] += table.partitions().size();
                own[2] += table.indexes().size();
                own[3] += table.tablets().size();
                own[4] += table.tablets().stream()
                        .mapToLong(tablet -> tablet.replicas().size())
                        .sum();
            }
            rows.add(database.id(), database.name(), own[0], own[1], own[2], own[3], own[4]);
            for (int i = 0; i < own.length; i++) {
                all[i] += own[i];
            }
        }
        int databases = services.snapshot().databases().size();
        rows.add("Total", databases, all[0], all[1], all[2], all[3], all[4]);
        return rows.result();
    }

    /** The path behind `/transactions`. */
    Optional<StatementResult> transactions(List<String> path) {
        if (path.isEmpty()) {
            ShowRows rows = new ShowRows("DbId", "DbName", "RunningTransactionNum");
            for (Database database : services.snapshot().databases().values()) {
                rows.add(database.id(), database.name(), services.transactions().numRunning(database.id()));
            }
            return Optional.of(rows.result());
        }
        Database database = database(path.get(0));
        List<Transaction> known = services.transactions().list(database.id());
        List<Transaction> running =
                known.stream().filter(Transaction::isRunning).toList();
        List<Transaction> finished =
                known.stream().filter(transaction -> !transaction.isRunning()).toList();
        if (path.size() == 1) {
            return Optional.of(new ShowRows("State", "Number")
                    .add("running", running.size())
                    .add("finished", finished.size())
                    .result());
        }
        boolean isRunning = path.get(1).equals("running");
        if (!isRunning && !path.get(1).equals("finished")) {
            return Optional.empty();
        }
        List<Transaction> chosen = isRunning ? running : finished;
        if (path.size() == 2) {
            ShowRows rows = ShowTransactionHandler.header();
            chosen.forEach(transaction -> ShowTransactionHandler.add(rows, transaction));
            return Optional.of(rows.result());
        }
        Transaction transaction = ProcStorage.find(chosen, path.get(2), Transaction::id, "transaction");
        return switch (path.size()) {
            case 3 -> Optional.of(tables(transaction));
            case 4 -> Optional.of(partitions(transaction, path.get(3)));
            default -> Optional.empty();
        };
    }

    private static StatementResult tables(Transaction transaction) {
        ShowRows rows = new ShowRows("TableId", "CommittedPartitionIds");
        for (long table : transaction.tableIds()) {
            rows.add(
                    table,
                    String.join(
                            ", ",
                            transaction.partitions().stream()
                                    .filter(taken -> taken.tableId() == table)
                                    .map(taken -> Long.toString(taken.partitionId()))
                                    .toList()));
        }
        return rows.result();
    }

    private static StatementResult partitions(Transaction transaction, String table) {
        ShowRows rows = new ShowRows("PartitionId", "CommittedVersion");
        transaction.partitions().stream()
                .filter(taken -> Long.toString(taken.tableId()).equals(table))
                .forEach(taken -> rows.add(taken.partitionId(), taken.version()));
        return rows.result();
    }

    /** The path behind `/jobs`. */
    Optional<StatementResult> jobs(List<String> path) {
        if (path.isEmpty()) {
            ShowRows rows = new ShowRows("DbId", "DbName");
            services.snapshot().databases().values().forEach(database -> rows.add(database.id(), database.name()));
            return Optional.of(rows.result());
        }
        if (path.size() > 1) {
            return Optional.empty();
        }
        long database = database(path.get(0)).id();
        List<AlterJob> own = services.snapshot().alterJobs().values().stream()
                .filter(job -> job.databaseId() == database)
                .toList();
        long pending = count(own, AlterJob.State.PENDING);
        long finished = count(own, AlterJob.State.FINISHED);
        long cancelled = count(own, AlterJob.State.CANCELLED);
        return Optional.of(new ShowRows("JobType", "Pending", "Running", "Finished", "Cancelled", "Total")
                .add(
                        "schema_change",
                        pending,
                        own.size() - pending - finished - cancelled,
                        finished,
                        cancelled,
                        own.size())
                .result());
    }

    private static long count(List<AlterJob> jobs, AlterJob.State state) {
        return jobs.stream().filter(job -> job.state() == state).count();
    }

    private Database database(String id) {
        return ProcStorage.find(services.snapshot().databases().values(), id, Database::id, "database");
    }

    StatementResult currentQueries() {
        ShowRows rows = new ShowRows("QueryId", "ConnectionId", "Catalog", "Database", "User", "ExecTime", "Statement");
        for (Session session : services.sessions().all()) {
            Optional<StatementContext> running = session.running();
            if (running.isPresent()) {
                StatementContext statement = running.get();
                rows.add(
                        statement.queryId(),
                        session.id(),
                        "internal",
                        session.database().orElse(""),
                        session.identity(),
                        services.clock().millis() - statement.startMillis(),
                        statement.sql());
            }
        }
        return rows.result();
    }

    StatementResult disks(String id) {
        BackendState backend =
                ProcStorage.find(List.copyOf(services.nodes().backends()), id, BackendState::id, "back end");
        ShowRows rows = new ShowRows(
                "RootPath",
                "DataUsedCapacity",
                "OtherUsedCapacity",
                "AvailCapacity",
                "TotalCapacity",
                "TotalUsedPct",
                "State",
                "PathHash",
                "StorageMedium");
        for (BackendState.Disk disk : backend.disks()) {
            long used = disk.totalBytes() - disk.availableBytes();
            rows.add(
                    disk.path(),
                    SizeText.of(disk.usedBytes()),
                    SizeText.of(Math.max(0, used - disk.usedBytes())),
                    SizeText.of(disk.availableBytes()),
                    SizeText.of(disk.totalBytes()),
                    SizeText.percent(used, disk.totalBytes()),
                    disk.used() ? "ONLINE" : "OFFLINE",
                    -1,
                    "HDD");
        }
        return rows.result();
    }
}
