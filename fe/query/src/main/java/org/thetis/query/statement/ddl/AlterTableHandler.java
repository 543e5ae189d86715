// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.ddl;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.Privilege;
import org.thetis.cluster.alter.CreateTableRequest;
import org.thetis.cluster.alter.TableCommands;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.ObjectName;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.ddl.AlterTable;
import org.thetis.sql.ast.ddl.AlterTableClause;
import org.thetis.sql.ast.ddl.DistributionClause;

/** ALTER TABLE: several clauses together when all change columns, else one. */
public final class AlterTableHandler implements StatementHandler<AlterTable> {
    private final StatementServices services;

    public AlterTableHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<AlterTable> statementType() {
        return AlterTable.class;
    }

    @Override
    public StatementResult run(AlterTable statement, StatementContext context) {
        ObjectName name = ObjectName.of(statement.name(), context);
        services.access().checkTable(context.session().identity(), name.database(), name.name(), Privilege.ALTER);
        if (statement.clauses().stream().allMatch(ColumnChanges::isColumnChange)) {
            services.schemaChanges().change(name.database(), name.name(), ColumnChanges.of(statement.clauses()));
            return StatementResult.Done.NOTHING;
        }
        if (statement.clauses().size() != 1) {
            throw ThetisException.notSupported("ALTER TABLE with several clauses that do not all change columns");
        }
        apply(name, statement.clauses().get(0), context);
        return StatementResult.Done.NOTHING;
    }

    private void apply(ObjectName name, AlterTableClause clause, StatementContext context) {
        TableCommands tables = services.tables();
        String database = name.database();
        String table = name.name();
        if (clause instanceof AlterTableClause.RenameTable rename) {
            tables.rename(database, table, rename.name());
        } else if (clause instanceof AlterTableClause.RenameColumn rename) {
            tables.renameColumn(database, table, rename.from(), rename.to());
        } else if (clause instanceof AlterTableClause.RenamePartition rename) {
            tables.renamePartition(database, table, rename.from(), rename.to());
        } else if (clause instanceof AlterTableClause.ModifyTableComment comment) {
            tables.setComment(database, table, comment.comment());
        } else if (clause instanceof AlterTableClause.ModifyColumnComment comment) {
            tables.setColumnComment(database, table, comment.column(), comment.comment());
        } else if (clause instanceof AlterTableClause.SetProperties set) {
            tables.setProperties(database, table, set.properties());
        } else if (clause instanceof AlterTableClause.AddPartition add) {
            tables.addPartitions(
                    database,
                    table,
                    List.of(PartitionBuilder.definition(add.partition())),
                    add.temporary(),
                    add.distribution() == null ? null : distribution(add.distribution()));
        } else if (clause instanceof AlterTableClause.DropPartition drop) {
            tables.dropPartitions(database, table, drop.names(), drop.ifExists(), drop.temporary(), drop.force());
        } else if (clause instanceof AlterTableClause.ReplacePartitions replace) {
            tables.replacePartitions(
                    database,
                    table,
                    replace.partitions(),
                    replace.temporaryPartitions(),
                    flag(replace.properties(), "strict_range", true),
                    flag(replace.properties(), "use_temp_partition_name", false),
                    replace.force());
        } else if (clause instanceof AlterTableClause.ModifyPartitions modify) {
            List<String> names =
                    modify.partitions().all() ? List.of() : modify.partitions().names();
            tables.setPartitionProperties(database, table, names, modify.properties());
        } else if (clause instanceof AlterTableClause.ModifyDistribution modify) {
            tables.setDefaultBuckets(database, table, distribution(modify.distribution()));
        } else if (clause instanceof AlterTableClause.ReplaceTable replace) {
            services.access().checkTable(context.session().identity(), database, replace.table(), Privilege.ALTER);
            tables.replaceTable(database, table, replace.table(), flag(replace.properties(), "swap", true));
        } else {
            String words = clause.getClass()
                    .getSimpleName()
                    .replaceAll("(?<=[a-z])(?=[A-Z])", " ")
                    .toUpperCase(Locale.ROOT);
            throw ThetisException.notSupported("ALTER TABLE " + words);
        }
    }

    private static CreateTableRequest.DistributionRequest distribution(DistributionClause clause) {
        return new CreateTableRequest.DistributionRequest(
                clause.random(), clause.columns(), clause.buckets(), clause.automatic());
    }

    private static boolean flag(Map<String, String> properties, String name, boolean otherwise) {
        String value =
                properties.getOrDefault(name, Boolean.toString(otherwise)).toLowerCase(Locale.ROOT);
        if (!value.equals("true") && !value.equals("false")) {
            throw new ThetisException(ErrorCode.INVALID_ARGUMENT, name + " must be true or false, not '" + value + "'");
        }
        return value.equals("true");
    }
}
