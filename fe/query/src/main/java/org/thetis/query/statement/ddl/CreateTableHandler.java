// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.ddl;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.Privilege;
import org.thetis.catalog.object.SecondaryIndex;
import org.thetis.catalog.schema.KeysModel;
import org.thetis.catalog.schema.PartitionDefinition;
import org.thetis.catalog.schema.PartitionSpec;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.cluster.alter.CreateTableRequest;
import org.thetis.query.result.StatementResult;
import org.thetis.query.schedule.QueryCounters;
import org.thetis.query.session.Session;
import org.thetis.query.session.SqlWarning;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.CountingHandler;
import org.thetis.query.statement.ObjectName;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.Query;
import org.thetis.sql.ast.ddl.ColumnDefinition;
import org.thetis.sql.ast.ddl.CreateTable;
import org.thetis.sql.ast.ddl.DistributionClause;
import org.thetis.sql.ast.ddl.IndexDefinition;
import org.thetis.sql.ast.ddl.KeyClause;
import org.thetis.sql.ast.ddl.PartitionClause;
import org.thetis.sql.ast.dml.Insert;

/** CREATE TABLE, also AS a query. Clauses of MySQL that mean nothing here become warnings. */
public final class CreateTableHandler implements CountingHandler<CreateTable> {
    private final StatementServices services;

    public CreateTableHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<CreateTable> statementType() {
        return CreateTable.class;
    }

    @Override
    public StatementResult run(CreateTable statement, StatementContext context, QueryCounters counters) {
        ObjectName name = ObjectName.of(statement.name(), context);
        services.access().checkTable(context.session().identity(), name.database(), name.name(), Privilege.CREATE);
        refuseUnbuilt(statement);
        Query query = statement.query();
        List<SchemaColumn> columns = query == null
                ? statement.columns().stream().map(ColumnBuilder::build).toList()
                : QueryColumns.of(services.queries(), query, statement.columns(), context);
        CreateTableRequest request =
                request(statement, name, withPrimaryKey(columns, statement.key()), context.session());
        boolean created = services.tables().create(request);
        if (query == null || !created) {
            return new StatementResult.Done(0, context.session().warnings().size(), "");
        }
        return fill(statement, name, query, context, counters);
    }

    /** Loads the query's rows; the table goes away again when that fails. */
    private StatementResult fill(
            CreateTable statement, ObjectName name, Query query, StatementContext context, QueryCounters counters) {
        try {
            Insert insert = new Insert(
                    statement.name().position(), statement.name(), false, null, null, List.of(), List.of(), query);
            return services.inserts().run(insert, context, counters);
        } catch (ThetisException failure) {
            services.tables().drop(name.database(), name.name(), true, true);
            throw failure;
        }
    }

    private static void refuseUnbuilt(CreateTable statement) {
        if (statement.external()
                || (statement.engine() != null
                        && !statement.engine().equalsIgnoreCase("olap")
                        && !statement.engine().equalsIgnoreCase("innodb"))) {
            throw ThetisException.notSupported("ENGINE=" + statement.engine());
        }
        if (statement.temporary()) {
            throw ThetisException.notSupported("CREATE TEMPORARY TABLE");
        }
        if (statement.key() != null && !statement.key().clusterBy().isEmpty()) {
            throw ThetisException.notSupported("CLUSTER BY");
        }
        if (!statement.rollups().isEmpty()) {
            throw ThetisException.notSupported("ROLLUP in CREATE TABLE");
        }
    }

    private static CreateTableRequest request(
            CreateTable statement, ObjectName name, List<SchemaColumn> columns, Session session) {
        statement.ignored().forEach(clause -> session.addWarning(SqlWarning.of("clause is ignored: " + clause.text())));
        statement.columns().stream()
                .map(ColumnDefinition::ignored)
                .flatMap(List::stream)
                .forEach(clause -> session.addWarning(SqlWarning.of("clause is ignored: " + clause.text())));
        PartitionClause partitioning = statement.partitioning();
        List<PartitionDefinition> partitions = partitioning == null
                ? List.of()
                : partitioning.partitions().stream()
                        .map(PartitionBuilder::definition)
                        .toList();
        return new CreateTableRequest(
                name.database(),
                name.name(),
                statement.ifNotExists(),
                columns,
                keysModel(statement.key()),
                statement.key() == null ? List.of() : statement.key().columns(),
                partitioning == null ? PartitionSpec.UNPARTITIONED : PartitionBuilder.spec(partitioning),
                partitions,
                distribution(
                        statement.distribution(),
                        statement.query() == null ? null : columns.get(0).name()),
                indexes(statement.indexes(), session),
                statement.comment() == null ? "" : statement.comment(),
                statement.properties());
    }

    private static @Nullable KeysModel keysModel(@Nullable KeyClause key) {
        if (key == null) {
            return null;
        }
        return switch (key.kind()) {
            case DUPLICATE -> KeysModel.DUPLICATE;
            case UNIQUE, PRIMARY -> KeysModel.UNIQUE;
            case AGGREGATE -> KeysModel.AGGREGATE;
        };
    }

    /** The columns of a PRIMARY KEY, which becomes UNIQUE KEY, are never NULL. */
    private static List<SchemaColumn> withPrimaryKey(List<SchemaColumn> columns, @Nullable KeyClause key) {
        if (key == null || key.kind() != KeyClause.Kind.PRIMARY) {
            return columns;
        }
        return columns.stream()
                .map(column -> key.columns().stream().anyMatch(column.name()::equalsIgnoreCase)
                        ? column.withNullable(false)
                        : column)
                .toList();
    }

    private static CreateTableRequest.@Nullable DistributionRequest distribution(
            @Nullable DistributionClause clause, @Nullable String firstQueryColumn) {
        if (clause == null) {
            // CREATE TABLE AS distributes by the query's first column; other tables are spread at random.
            return firstQueryColumn == null
                    ? null
                    : new CreateTableRequest.DistributionRequest(false, List.of(firstQueryColumn), null, false);
        }
        return new CreateTableRequest.DistributionRequest(
                clause.random(), clause.columns(), clause.buckets(), clause.automatic());
    }

    private static List<SecondaryIndex> indexes(List<IndexDefinition> definitions, Session session) {
        List<SecondaryIndex> indexes = new ArrayList<>();
        for (IndexDefinition definition : definitions) {
            String kind =
                    definition.kind() == null || definition.kind().equals("BITMAP") ? "INVERTED" : definition.kind();
            indexes.add(new SecondaryIndex(
                    0,
                    definition.name(),
                    kind,
                    definition.columns(),
                    Map.copyOf(definition.properties()),
                    definition.comment() == null ? "" : definition.comment()));
            session.addWarning(SqlWarning.of(
                    "index '" + definition.name() + "' is kept in the definition and does not speed up queries yet"));
        }
        return indexes;
    }
}
