// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.Database;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.Privilege;
import org.thetis.catalog.schema.Partition;
import org.thetis.query.result.SizeText;
import org.thetis.query.result.StatementResult;
import org.thetis.query.result.TimeText;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.show.ShowBackends;
import org.thetis.sql.ast.show.ShowFrontends;
import org.thetis.sql.ast.show.ShowProc;

/** SHOW PROC: nodes, databases down to replicas, transactions, jobs, queries, health. Other paths are refused by name. */
public final class ShowProcHandler implements StatementHandler<ShowProc> {
    private static final List<String> ROOTS = List.of(
            "backends", "cluster_health", "current_queries", "dbs", "frontends", "jobs", "statistic", "transactions");

    private final StatementServices services;
    private final ProcStorage storage;
    private final ProcActivity activity;

    public ShowProcHandler(StatementServices services) {
        this.services = services;
        this.storage = new ProcStorage(services);
        this.activity = new ProcActivity(services);
    }

    @Override
    public Class<ShowProc> statementType() {
        return ShowProc.class;
    }

    @Override
    public StatementResult run(ShowProc statement, StatementContext context) {
        services.access().checkGlobal(context.session().identity(), Privilege.ADMIN);
        List<String> path = Arrays.stream(statement.path().split("/"))
                .filter(part -> !part.isEmpty())
                .toList();
        if (path.isEmpty()) {
            ShowRows rows = new ShowRows("name");
            ROOTS.forEach(rows::add);
            return rows.result();
        }
        List<String> rest = path.subList(1, path.size());
        Optional<StatementResult> found =
                switch (path.get(0)) {
                    case "backends" -> backends(rest, context);
                    case "frontends" ->
                        only(rest, () -> new ShowFrontendsHandler(services).run(new ShowFrontends(false), context));
                    case "dbs" -> databases(rest);
                    case "statistic" -> only(rest, activity::statistic);
                    case "transactions" -> activity.transactions(rest);
                    case "jobs" -> activity.jobs(rest);
                    case "current_queries" -> only(rest, activity::currentQueries);
                    case "cluster_health" -> health(rest);
                    default -> Optional.empty();
                };
        return found.orElseThrow(() -> ThetisException.notSupported("SHOW PROC '" + statement.path() + "'"));
    }

    private static Optional<StatementResult> only(List<String> rest, Supplier<StatementResult> rows) {
        return rest.isEmpty() ? Optional.of(rows.get()) : Optional.empty();
    }

    private Optional<StatementResult> backends(List<String> path, StatementContext context) {
        return switch (path.size()) {
            case 0 -> Optional.of(new ShowBackendsHandler(services).run(new ShowBackends(), context));
            case 1 -> Optional.of(activity.disks(path.get(0)));
            default -> Optional.empty();
        };
    }

    private Optional<StatementResult> databases(List<String> path) {
        if (path.size() < 2) {
            return Optional.of(path.isEmpty() ? databases() : tables(path.get(0)));
        }
        OlapTable table = ProcStorage.find(database(path.get(0)).olapTables(), path.get(1), OlapTable::id, "table");
        return storage.table(table, path.subList(2, path.size()));
    }

    private Optional<StatementResult> health(List<String> path) {
        if (path.isEmpty()) {
            return Optional.of(new ShowRows("Item").add("tablet_health").result());
        }
        return path.equals(List.of("tablet_health")) ? Optional.of(storage.tabletHealth()) : Optional.empty();
    }

    private StatementResult databases() {
        ShowRows rows = new ShowRows(
                "DbId",
                "DbName",
                "TableNum",
                "Size",
                "Quota",
                "LastConsistencyCheckTime",
                "ReplicaCount",
                "ReplicaQuota",
                "RunningTransactionNum",
                "TransactionQuota",
                "LastUpdateTime");
        for (Database database : services.snapshot().databases().values()) {
            long bytes = database.olapTables().stream()
                    .mapToLong(services.replicas()::dataBytes)
                    .sum();
            long replicas = database.olapTables().stream()
                    .mapToLong(ShowProcHandler::numReplicas)
                    .sum();
            rows.add(
                    database.id(),
                    database.name(),
                    database.tables().size(),
                    SizeText.of(bytes),
                    SizeText.of(services.config().getLong("default_db_data_quota_bytes")),
                    null,
                    replicas,
                    services.config().getLong("default_db_replica_quota_size"),
                    services.transactions().numRunning(database.id()),
                    services.config().getInt("max_running_txn_num_per_db"),
                    null);
        }
        return rows.result();
    }

    private StatementResult tables(String id) {
        Database database = database(id);
        ShowRows rows = new ShowRows(
                "TableId",
                "TableName",
                "IndexNum",
                "PartitionColumnName",
                "PartitionNum",
                "State",
                "Type",
                "LastConsistencyCheckTime",
                "ReplicaCount",
                "VisibleVersion",
                "VisibleVersionTime",
                "RunningTransactionNum",
                "LastUpdateTime");
        for (OlapTable table : database.olapTables()) {
            long updated = table.partitions().values().stream()
                    .mapToLong(Partition::visibleMillis)
                    .max()
                    .orElse(-1);
            rows.add(
                    table.id(),
                    table.name(),
                    table.indexes().size(),
                    String.join(", ", table.partitionSpec().columns()),
                    table.partitions().size(),
                    "NORMAL",
                    "OLAP",
                    null,
                    numReplicas(table),
                    null,
                    TimeText.of(updated),
                    0,
                    TimeText.of(updated));
        }
        return rows.result();
    }

    private Database database(String id) {
        if (!id.matches("\\d{1,18}")) {
            throw new ThetisException(ErrorCode.INVALID_ARGUMENT, "not a database id: '" + id + "'");
        }
        return services.snapshot()
                .findDatabase(Long.parseLong(id))
                .orElseThrow(() -> new ThetisException(ErrorCode.UNKNOWN_DATABASE, "Unknown database id " + id));
    }

    private static long numReplicas(OlapTable table) {
        return table.tablets().stream()
                .mapToLong(tablet -> tablet.replicas().size())
                .sum();
    }
}
