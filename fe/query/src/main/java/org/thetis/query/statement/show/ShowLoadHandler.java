// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import java.util.Map;
import org.thetis.catalog.object.Database;
import org.thetis.catalog.object.Table;
import org.thetis.catalog.object.Transaction;
import org.thetis.catalog.object.TransactionSource;
import org.thetis.catalog.object.TransactionStatus;
import org.thetis.query.result.StatementResult;
import org.thetis.query.result.TimeText;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.ObjectName;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.show.ShowLoad;

/** SHOW [STREAM] LOAD: finished and running load transactions of the database. */
public final class ShowLoadHandler implements StatementHandler<ShowLoad> {
    private final StatementServices services;

    public ShowLoadHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<ShowLoad> statementType() {
        return ShowLoad.class;
    }

    @Override
    public StatementResult run(ShowLoad statement, StatementContext context) {
        String database = ObjectName.databaseOrCurrent(statement.database(), context);
        services.access().checkDatabaseVisible(context.session().identity(), database);
        Database found = services.snapshot().getDatabase(database);
        ShowRows rows = statement.stream()
                ? new ShowRows(
                        "Label",
                        "Db",
                        "Table",
                        "ClientIp",
                        "Status",
                        "Message",
                        "Url",
                        "TotalRows",
                        "LoadedRows",
                        "FilteredRows",
                        "UnselectedRows",
                        "LoadBytes",
                        "StartTime",
                        "FinishTime",
                        "User",
                        "Comment")
                : new ShowRows(
                        "JobId",
                        "Label",
                        "State",
                        "Progress",
                        "Type",
                        "EtlInfo",
                        "TaskInfo",
                        "ErrorMsg",
                        "CreateTime",
                        "EtlStartTime",
                        "EtlFinishTime",
                        "LoadStartTime",
                        "LoadFinishTime",
                        "URL",
                        "JobDetails",
                        "TransactionId",
                        "ErrorTablets",
                        "User",
                        "Comment");
        for (Transaction transaction : services.transactions().list(found.id())) {
            boolean stream = transaction.source() == TransactionSource.BACKEND_STREAMING;
            if (stream && statement.stream()) {
                addStream(rows, found, transaction);
            } else if (transaction.source() == TransactionSource.INSERT_STREAMING && !statement.stream()) {
                addInsert(rows, transaction);
            }
        }
        return rows.result(statement.filter(), statement.stream() ? 0 : 1);
    }

    private static void addStream(ShowRows rows, Database database, Transaction transaction) {
        Map<String, String> details = transaction.attachment();
        String table = transaction.tableIds().stream()
                .findFirst()
                .flatMap(database::findTable)
                .map(Table::name)
                .orElse("");
        long loaded = number(details, "loadedRows");
        long filtered = number(details, "filteredRows");
        long unselected = number(details, "unselectedRows");
        boolean failed = transaction.status() == TransactionStatus.ABORTED;
        rows.add(
                transaction.label(),
                database.name(),
                table,
                details.getOrDefault("clientIp", ""),
                failed ? "Fail" : "Success",
                failed ? transaction.reason() : "OK",
                details.getOrDefault("errorUrl", "N/A"),
                loaded + filtered + unselected,
                loaded,
                filtered,
                unselected,
                number(details, "loadedBytes"),
                TimeText.of(transaction.prepareMillis()),
                TimeText.of(transaction.finishMillis()),
                details.getOrDefault("user", ""),
                details.getOrDefault("comment", ""));
    }

    private static void addInsert(ShowRows rows, Transaction transaction) {
        String state =
                switch (transaction.status()) {
                    case VISIBLE, COMMITTED -> "FINISHED";
                    case ABORTED -> "CANCELLED";
                    case PREPARE, PRECOMMITTED -> "LOADING";
                };
        String created = TimeText.of(transaction.prepareMillis(), "");
        String finished = TimeText.of(transaction.finishMillis(), "");
        rows.add(
                transaction.id(),
                transaction.label(),
                state,
                state.equals("FINISHED") ? "100.00%" : "0.00%",
                "INSERT",
                "NULL",
                "cluster:N/A; timeout(s):" + transaction.timeoutMillis() / 1000,
                transaction.reason(),
                created,
                created,
                created,
                created,
                finished,
                transaction.attachment().getOrDefault("errorUrl", ""),
                "{\"ScannedRows\":" + number(transaction.attachment(), "loadedRows") + "}",
                transaction.id(),
                "{}",
                "",
                "");
    }

    private static long number(Map<String, String> details, String key) {
        return Long.parseLong(details.getOrDefault(key, "0"));
    }
}
