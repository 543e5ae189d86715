// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import java.util.Arrays;
import java.util.List;
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

/** SHOW PROC of the paths tools read most: nodes, databases and their tables. Other paths are refused by name. */
public final class ShowProcHandler implements StatementHandler<ShowProc> {
    private final StatementServices services;

    public ShowProcHandler(StatementServices services) {
        this.services = services;
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
            List.of("backends", "dbs", "frontends").forEach(rows::add);
            return rows.result();
        }
        if (path.size() == 1) {
            switch (path.get(0)) {
                case "backends" -> {
                    return new ShowBackendsHandler(services).run(new ShowBackends(), context);
                }
                case "frontends" -> {
                    return new ShowFrontendsHandler(services).run(new ShowFrontends(false), context);
                }
                case "dbs" -> {
                    return databases();
                }
                default -> throw ThetisException.notSupported("SHOW PROC '" + statement.path() + "'");
            }
        }
        if (path.size() == 2 && path.get(0).equals("dbs")) {
            return tables(path.get(1));
        }
        throw ThetisException.notSupported("SHOW PROC '" + statement.path() + "'");
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
        if (!id.matches("\\d{1,18}")) {
            throw new ThetisException(ErrorCode.INVALID_ARGUMENT, "not a database id: '" + id + "'");
        }
        Database database = services.snapshot()
                .findDatabase(Long.parseLong(id))
                .orElseThrow(() -> new ThetisException(ErrorCode.UNKNOWN_DATABASE, "Unknown database id " + id));
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

    private static long numReplicas(OlapTable table) {
        return table.tablets().stream()
                .mapToLong(tablet -> tablet.replicas().size())
                .sum();
    }
}
