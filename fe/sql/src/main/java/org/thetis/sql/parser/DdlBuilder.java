// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.parser;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.Query;
import org.thetis.sql.ast.Statement;
import org.thetis.sql.ast.ddl.AlterDatabase;
import org.thetis.sql.ast.ddl.AlterDatabaseClause;
import org.thetis.sql.ast.ddl.AlterTable;
import org.thetis.sql.ast.ddl.AlterView;
import org.thetis.sql.ast.ddl.BuildIndex;
import org.thetis.sql.ast.ddl.CreateDatabase;
import org.thetis.sql.ast.ddl.CreateIndex;
import org.thetis.sql.ast.ddl.CreateTableLike;
import org.thetis.sql.ast.ddl.CreateView;
import org.thetis.sql.ast.ddl.DropDatabase;
import org.thetis.sql.ast.ddl.DropIndex;
import org.thetis.sql.ast.ddl.DropTable;
import org.thetis.sql.ast.ddl.DropView;
import org.thetis.sql.ast.ddl.RecoverDatabase;
import org.thetis.sql.ast.ddl.RecoverPartition;
import org.thetis.sql.ast.ddl.RecoverTable;
import org.thetis.sql.ast.ddl.TruncateTable;
import org.thetis.sql.ast.ddl.ViewColumn;
import org.thetis.sql.grammar.ThetisParser;

/** Builds statements that define databases, tables, views and indexes. */
final class DdlBuilder extends StatementVisitor {
    private final TableBuilder tables;

    DdlBuilder(TreeBuilders builders) {
        super(builders);
        this.tables = new TableBuilder(builders);
    }

    @Override
    public Statement visitCreateDatabase(ThetisParser.CreateDatabaseContext context) {
        return new CreateDatabase(
                name(context.qualifiedName()), context.ifNotExists() != null, properties(context.propertyClause()));
    }

    @Override
    public Statement visitDropDatabase(ThetisParser.DropDatabaseContext context) {
        return new DropDatabase(name(context.qualifiedName()), context.ifExists() != null, context.FORCE() != null);
    }

    @Override
    public Statement visitAlterDatabase(ThetisParser.AlterDatabaseContext context) {
        return new AlterDatabase(name(context.qualifiedName()), databaseClause(context.alterDatabaseClause()));
    }

    private AlterDatabaseClause databaseClause(ThetisParser.AlterDatabaseClauseContext context) {
        if (context instanceof ThetisParser.RenameDatabaseContext rename) {
            return new AlterDatabaseClause.Rename(Texts.name(rename.identifier()));
        }
        if (context instanceof ThetisParser.SetDatabaseQuotaContext quota) {
            return new AlterDatabaseClause.SetQuota(
                    Texts.upper(quota.getChild(1).getText()),
                    quota.getChild(quota.getChildCount() - 1).getText());
        }
        return new AlterDatabaseClause.SetProperties(
                properties(((ThetisParser.SetDatabasePropertiesContext) context).propertyList()));
    }

    @Override
    public Statement visitCreateTable(ThetisParser.CreateTableContext context) {
        return tables.createTable(context);
    }

    @Override
    public Statement visitCreateTableLike(ThetisParser.CreateTableLikeContext context) {
        return new CreateTableLike(
                name(context.qualifiedName(0)),
                context.ifNotExists() != null,
                context.EXTERNAL() != null,
                name(context.qualifiedName(1)),
                context.ROLLUP() != null,
                Texts.names(context.identifierList()));
    }

    @Override
    public Statement visitDropTable(ThetisParser.DropTableContext context) {
        return new DropTable(
                name(context.qualifiedName()),
                context.ifExists() != null,
                context.TEMPORARY() != null,
                context.FORCE() != null);
    }

    @Override
    public Statement visitTruncateTable(ThetisParser.TruncateTableContext context) {
        return new TruncateTable(
                name(context.qualifiedName()), partitions(context.partitionSelection()), context.FORCE() != null);
    }

    @Override
    public Statement visitAlterTable(ThetisParser.AlterTableContext context) {
        AlterTableBuilder clauses = new AlterTableBuilder(builders(), tables);
        return new AlterTable(
                name(context.qualifiedName()),
                context.alterTableClause().stream().map(clauses::visit).toList());
    }

    @Override
    public Statement visitCreateIndex(ThetisParser.CreateIndexContext context) {
        return new CreateIndex(
                name(context.qualifiedName()),
                tables.index(
                        context.identifier(),
                        context.ifNotExists() != null,
                        Texts.names(context.identifierList()),
                        context.indexOption()));
    }

    @Override
    public Statement visitDropIndex(ThetisParser.DropIndexContext context) {
        return new DropIndex(
                name(context.qualifiedName()), Texts.name(context.identifier()), context.ifExists() != null);
    }

    @Override
    public Statement visitBuildIndex(ThetisParser.BuildIndexContext context) {
        return new BuildIndex(
                name(context.qualifiedName()),
                Texts.optionalName(context.identifier()),
                partitions(context.partitionSelection()));
    }

    @Override
    public Statement visitCreateView(ThetisParser.CreateViewContext context) {
        return new CreateView(
                name(context.qualifiedName()),
                context.ifNotExists() != null,
                context.REPLACE() != null,
                viewColumns(context.viewColumns()),
                comment(context.commentClause()),
                builders().queries().build(context.query()),
                builders().source().text(context.query()));
    }

    @Override
    public Statement visitAlterView(ThetisParser.AlterViewContext context) {
        Query query = context.query() == null ? null : builders().queries().build(context.query());
        return new AlterView(
                name(context.qualifiedName()),
                viewColumns(context.viewColumns()),
                comment(context.commentClause()),
                query,
                context.query() == null ? null : builders().source().text(context.query()));
    }

    private List<ViewColumn> viewColumns(ThetisParser.@Nullable ViewColumnsContext context) {
        if (context == null) {
            return List.of();
        }
        return context.viewColumn().stream()
                .map(column -> new ViewColumn(Texts.name(column.identifier()), comment(column.commentClause())))
                .toList();
    }

    @Override
    public Statement visitDropView(ThetisParser.DropViewContext context) {
        return new DropView(name(context.qualifiedName()), context.ifExists() != null);
    }

    @Override
    public Statement visitRecoverDatabase(ThetisParser.RecoverDatabaseContext context) {
        return new RecoverDatabase(
                Texts.name(context.identifier(0)),
                Texts.optionalLong(context.INTEGER_LITERAL()),
                Texts.optionalName(context.identifier(1)));
    }

    @Override
    public Statement visitRecoverTable(ThetisParser.RecoverTableContext context) {
        return new RecoverTable(
                name(context.qualifiedName()),
                Texts.optionalLong(context.INTEGER_LITERAL()),
                Texts.optionalName(context.identifier()));
    }

    @Override
    public Statement visitRecoverPartition(ThetisParser.RecoverPartitionContext context) {
        return new RecoverPartition(
                name(context.qualifiedName()),
                Texts.name(context.identifier(0)),
                Texts.optionalLong(context.INTEGER_LITERAL()),
                Texts.optionalName(context.identifier(1)));
    }
}
