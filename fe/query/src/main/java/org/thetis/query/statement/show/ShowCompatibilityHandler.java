// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import org.thetis.catalog.object.Privilege;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.show.ShowCompatibility;

/** SHOW statements of MySQL that answer with fixed or empty rows, so that tools go on. */
public final class ShowCompatibilityHandler implements StatementHandler<ShowCompatibility> {
    private final StatementServices services;

    public ShowCompatibilityHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<ShowCompatibility> statementType() {
        return ShowCompatibility.class;
    }

    @Override
    public StatementResult run(ShowCompatibility statement, StatementContext context) {
        return switch (statement.kind()) {
            case ENGINES ->
                new ShowRows("Engine", "Support", "Comment", "Transactions", "XA", "Savepoints")
                        .add("OLAP", "DEFAULT", "Default storage engine", "NO", "NO", "NO")
                        .result(statement.filter());
            case CHARSET ->
                new ShowRows("Charset", "Description", "Default collation", "Maxlen")
                        .add("utf8mb4", "UTF-8 Unicode", "utf8mb4_0900_bin", 4)
                        .result(statement.filter());
            case COLLATION ->
                new ShowRows("Collation", "Charset", "Id", "Default", "Compiled", "Sortlen")
                        .add("utf8mb4_0900_bin", "utf8mb4", 309, "Yes", "Yes", 1)
                        .add("utf8mb3_general_ci", "utf8mb3", 33, "", "Yes", 1)
                        .result(statement.filter());
            case WARNINGS -> warnings(statement, context, false);
            case ERRORS -> warnings(statement, context, true);
            case STATUS -> status(statement, context);
            case PLUGINS ->
                new ShowRows(
                                "Name",
                                "Type",
                                "Description",
                                "Version",
                                "JavaVersion",
                                "ClassName",
                                "SoName",
                                "Sources",
                                "Status",
                                "Properties")
                        .result(statement.filter());
            case PRIVILEGES -> privileges(statement);
            case TRIGGERS ->
                new ShowRows(
                                "Trigger",
                                "Event",
                                "Table",
                                "Statement",
                                "Timing",
                                "Created",
                                "sql_mode",
                                "Definer",
                                "character_set_client",
                                "collation_connection",
                                "Database Collation")
                        .result(statement.filter());
            case EVENTS ->
                new ShowRows(
                                "Db",
                                "Name",
                                "Definer",
                                "Time zone",
                                "Type",
                                "Execute at",
                                "Interval value",
                                "Interval field",
                                "Starts",
                                "Ends",
                                "Status",
                                "Originator",
                                "character_set_client",
                                "collation_connection",
                                "Database Collation")
                        .result(statement.filter());
            case FUNCTION_STATUS, PROCEDURE_STATUS ->
                new ShowRows(
                                "Db",
                                "Name",
                                "Type",
                                "Definer",
                                "Modified",
                                "Created",
                                "Security_type",
                                "Comment",
                                "character_set_client",
                                "collation_connection",
                                "Database Collation")
                        .result(statement.filter(), 1);
            case OPEN_TABLES ->
                new ShowRows("Database", "Table", "In_use", "Name_locked").result(statement.filter(), 1);
            case AUTHORS -> new ShowRows("Name", "Location", "Comment").result(statement.filter());
            case PROFILES -> new ShowRows("Query_ID", "Duration", "Query").result(statement.filter());
        };
    }

    private static StatementResult warnings(ShowCompatibility statement, StatementContext context, boolean errorsOnly) {
        ShowRows rows = new ShowRows("Level", "Code", "Message").numeric("Code");
        context.session().warnings().stream()
                .filter(warning -> !errorsOnly || warning.isError())
                .forEach(warning -> rows.add(warning.level(), warning.code(), warning.message()));
        return rows.result(statement.filter());
    }

    private StatementResult status(ShowCompatibility statement, StatementContext context) {
        long uptime = (services.clock().millis() - services.server().startMillis()) / 1000;
        return new ShowRows("Variable_name", "Value")
                .add("Threads_connected", services.sessions().size())
                .add("Uptime", uptime)
                .add("Connection_id", context.session().id())
                .result(statement.filter());
    }

    private static StatementResult privileges(ShowCompatibility statement) {
        ShowRows rows = new ShowRows("Privilege", "Context", "Comment");
        for (Privilege privilege : Privilege.values()) {
            rows.add(privilege.sql(), "GLOBAL,CATALOG,DATABASE,TABLE", "");
        }
        return rows.result(statement.filter());
    }
}
