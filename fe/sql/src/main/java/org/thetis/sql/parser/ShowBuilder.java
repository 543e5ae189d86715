// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.parser;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Relation;
import org.thetis.sql.ast.Statement;
import org.thetis.sql.ast.UnsupportedStatement;
import org.thetis.sql.ast.admin.AdminShowTabletStorageFormat;
import org.thetis.sql.ast.session.DescribeTable;
import org.thetis.sql.ast.session.DescribeTableFunction;
import org.thetis.sql.ast.session.Explain;
import org.thetis.sql.ast.show.ShowAlterTable;
import org.thetis.sql.ast.show.ShowAnalyze;
import org.thetis.sql.ast.show.ShowBackends;
import org.thetis.sql.ast.show.ShowBuildIndex;
import org.thetis.sql.ast.show.ShowCatalogRecycleBin;
import org.thetis.sql.ast.show.ShowCatalogs;
import org.thetis.sql.ast.show.ShowColumnStats;
import org.thetis.sql.ast.show.ShowColumns;
import org.thetis.sql.ast.show.ShowCompatibility;
import org.thetis.sql.ast.show.ShowCompatibilityKind;
import org.thetis.sql.ast.show.ShowConfig;
import org.thetis.sql.ast.show.ShowCreateDatabase;
import org.thetis.sql.ast.show.ShowCreateTable;
import org.thetis.sql.ast.show.ShowCreateView;
import org.thetis.sql.ast.show.ShowData;
import org.thetis.sql.ast.show.ShowDataSkew;
import org.thetis.sql.ast.show.ShowDataTypes;
import org.thetis.sql.ast.show.ShowDatabaseById;
import org.thetis.sql.ast.show.ShowDatabases;
import org.thetis.sql.ast.show.ShowDelete;
import org.thetis.sql.ast.show.ShowDynamicPartitionTables;
import org.thetis.sql.ast.show.ShowFilter;
import org.thetis.sql.ast.show.ShowFrontends;
import org.thetis.sql.ast.show.ShowGrants;
import org.thetis.sql.ast.show.ShowIndex;
import org.thetis.sql.ast.show.ShowLastInsert;
import org.thetis.sql.ast.show.ShowLoad;
import org.thetis.sql.ast.show.ShowLoadWarnings;
import org.thetis.sql.ast.show.ShowPartition;
import org.thetis.sql.ast.show.ShowPartitions;
import org.thetis.sql.ast.show.ShowProc;
import org.thetis.sql.ast.show.ShowProcesslist;
import org.thetis.sql.ast.show.ShowProperty;
import org.thetis.sql.ast.show.ShowReplicaDistribution;
import org.thetis.sql.ast.show.ShowReplicaStatus;
import org.thetis.sql.ast.show.ShowRoles;
import org.thetis.sql.ast.show.ShowTableById;
import org.thetis.sql.ast.show.ShowTableStats;
import org.thetis.sql.ast.show.ShowTableStatus;
import org.thetis.sql.ast.show.ShowTables;
import org.thetis.sql.ast.show.ShowTablet;
import org.thetis.sql.ast.show.ShowTablets;
import org.thetis.sql.ast.show.ShowTabletsBelong;
import org.thetis.sql.ast.show.ShowTransaction;
import org.thetis.sql.ast.show.ShowTrash;
import org.thetis.sql.ast.show.ShowVariables;
import org.thetis.sql.ast.show.ShowViews;
import org.thetis.sql.grammar.ThetisParser;

/** Builds SHOW, DESC and EXPLAIN. */
final class ShowBuilder extends StatementVisitor {
    private static final ShowFilter NO_FILTER = new ShowFilter(null, null, List.of(), null);

    ShowBuilder(TreeBuilders builders) {
        super(builders);
    }

    @Override
    public Statement visitShowDatabases(ThetisParser.ShowDatabasesContext context) {
        return new ShowDatabases(Texts.optionalName(context.identifier()), filter(context.showFilter()));
    }

    @Override
    public Statement visitShowTables(ThetisParser.ShowTablesContext context) {
        return new ShowTables(
                context.FULL() != null,
                context.VIEWS() != null,
                database(context.inDatabase()),
                filter(context.showFilter()));
    }

    @Override
    public Statement visitShowTableStatus(ThetisParser.ShowTableStatusContext context) {
        return new ShowTableStatus(database(context.inDatabase()), filter(context.showFilter()));
    }

    @Override
    public Statement visitShowColumns(ThetisParser.ShowColumnsContext context) {
        return new ShowColumns(
                context.FULL() != null,
                table(context.inTable()),
                database(context.inDatabase()),
                filter(context.showFilter()));
    }

    @Override
    public Statement visitShowIndex(ThetisParser.ShowIndexContext context) {
        return new ShowIndex(table(context.inTable()), database(context.inDatabase()), filter(context.showFilter()));
    }

    @Override
    public Statement visitShowCreateTable(ThetisParser.ShowCreateTableContext context) {
        return new ShowCreateTable(name(context.qualifiedName()), context.BRIEF() != null);
    }

    @Override
    public Statement visitShowCreateView(ThetisParser.ShowCreateViewContext context) {
        return new ShowCreateView(name(context.qualifiedName()));
    }

    @Override
    public Statement visitShowCreateDatabase(ThetisParser.ShowCreateDatabaseContext context) {
        return new ShowCreateDatabase(name(context.qualifiedName()));
    }

    @Override
    public Statement visitShowPartitions(ThetisParser.ShowPartitionsContext context) {
        return new ShowPartitions(context.TEMPORARY() != null, table(context.inTable()), filter(context.showFilter()));
    }

    @Override
    public Statement visitShowPartition(ThetisParser.ShowPartitionContext context) {
        return new ShowPartition(Texts.longValue(context.INTEGER_LITERAL()));
    }

    @Override
    public Statement visitShowTablets(ThetisParser.ShowTabletsContext context) {
        return new ShowTablets(
                table(context.inTable()), partitions(context.partitionSelection()), filter(context.showFilter()));
    }

    @Override
    public Statement visitShowTablet(ThetisParser.ShowTabletContext context) {
        return new ShowTablet(Texts.longValue(context.INTEGER_LITERAL()));
    }

    @Override
    public Statement visitShowTabletsBelong(ThetisParser.ShowTabletsBelongContext context) {
        return new ShowTabletsBelong(Texts.longs(context.INTEGER_LITERAL()));
    }

    @Override
    public Statement visitShowTabletStorageFormat(ThetisParser.ShowTabletStorageFormatContext context) {
        return new AdminShowTabletStorageFormat(context.VERBOSE() != null);
    }

    @Override
    public Statement visitShowDatabaseById(ThetisParser.ShowDatabaseByIdContext context) {
        return new ShowDatabaseById(Texts.longValue(context.INTEGER_LITERAL()));
    }

    @Override
    public Statement visitShowTableById(ThetisParser.ShowTableByIdContext context) {
        return new ShowTableById(Texts.longValue(context.INTEGER_LITERAL()));
    }

    @Override
    public Statement visitShowVariables(ThetisParser.ShowVariablesContext context) {
        return new ShowVariables(
                SessionBuilder.scope(context.GLOBAL(), context.SESSION(), context.LOCAL()),
                filter(context.showFilter()));
    }

    @Override
    public Statement visitShowProcesslist(ThetisParser.ShowProcesslistContext context) {
        return new ShowProcesslist(context.FULL() != null);
    }

    @Override
    public Statement visitShowFrontends(ThetisParser.ShowFrontendsContext context) {
        return new ShowFrontends(context.DISKS() != null);
    }

    @Override
    public Statement visitShowBackends(ThetisParser.ShowBackendsContext context) {
        return new ShowBackends();
    }

    @Override
    public Statement visitShowProc(ThetisParser.ShowProcContext context) {
        return new ShowProc(string(context.STRING_LITERAL()));
    }

    @Override
    public Statement visitShowDataSkew(ThetisParser.ShowDataSkewContext context) {
        return new ShowDataSkew(table(context.inTable()), partitions(context.partitionSelection()));
    }

    @Override
    public Statement visitShowDataTypes(ThetisParser.ShowDataTypesContext context) {
        return new ShowDataTypes();
    }

    @Override
    public Statement visitShowData(ThetisParser.ShowDataContext context) {
        return new ShowData(
                context.ALL() != null,
                context.inTable() == null ? null : table(context.inTable()),
                filter(context.showFilter()),
                properties(context.propertyClause()));
    }

    @Override
    public Statement visitShowAlterTable(ThetisParser.ShowAlterTableContext context) {
        return new ShowAlterTable(alterKind(context), database(context.inDatabase()), filter(context.showFilter()));
    }

    @Override
    public Statement visitShowBuildIndex(ThetisParser.ShowBuildIndexContext context) {
        return new ShowBuildIndex(database(context.inDatabase()), filter(context.showFilter()));
    }

    @Override
    public Statement visitShowTransaction(ThetisParser.ShowTransactionContext context) {
        return new ShowTransaction(database(context.inDatabase()), filter(context.showFilter()));
    }

    @Override
    public Statement visitShowLastInsert(ThetisParser.ShowLastInsertContext context) {
        return new ShowLastInsert();
    }

    @Override
    public Statement visitShowLoad(ThetisParser.ShowLoadContext context) {
        return new ShowLoad(context.STREAM() != null, database(context.inDatabase()), filter(context.showFilter()));
    }

    @Override
    public Statement visitShowDelete(ThetisParser.ShowDeleteContext context) {
        return new ShowDelete(database(context.inDatabase()));
    }

    @Override
    public Statement visitShowGrants(ThetisParser.ShowGrantsContext context) {
        return new ShowGrants(
                context.ALL() != null, context.userIdentity() == null ? null : user(context.userIdentity()));
    }

    @Override
    public Statement visitShowRoles(ThetisParser.ShowRolesContext context) {
        return new ShowRoles();
    }

    @Override
    public Statement visitShowAllProperty(ThetisParser.ShowAllPropertyContext context) {
        return new ShowProperty(true, null, filter(context.showFilter()));
    }

    @Override
    public Statement visitShowProperty(ThetisParser.ShowPropertyContext context) {
        return new ShowProperty(false, optionalNameOrText(context.identifierOrText()), filter(context.showFilter()));
    }

    @Override
    public Statement visitShowCatalogs(ThetisParser.ShowCatalogsContext context) {
        return new ShowCatalogs(filter(context.showFilter()));
    }

    @Override
    public Statement visitShowCatalogRecycleBin(ThetisParser.ShowCatalogRecycleBinContext context) {
        return new ShowCatalogRecycleBin(filter(context.showFilter()));
    }

    @Override
    public Statement visitShowFrontendConfig(ThetisParser.ShowFrontendConfigContext context) {
        return new ShowConfig(false, null, filter(context.showFilter()));
    }

    @Override
    public Statement visitShowBackendConfig(ThetisParser.ShowBackendConfigContext context) {
        return new ShowConfig(
                true,
                context.INTEGER_LITERAL().isEmpty() ? null : Texts.longValue(context.INTEGER_LITERAL(0)),
                filter(context.showFilter()));
    }

    @Override
    public Statement visitShowDynamicPartitionTables(ThetisParser.ShowDynamicPartitionTablesContext context) {
        return new ShowDynamicPartitionTables(database(context.inDatabase()));
    }

    @Override
    public Statement visitShowReplicaStatus(ThetisParser.ShowReplicaStatusContext context) {
        return new ShowReplicaStatus(
                table(context.inTable()), partitions(context.partitionSelection()), filter(context.showFilter()));
    }

    @Override
    public Statement visitShowReplicaDistribution(ThetisParser.ShowReplicaDistributionContext context) {
        return new ShowReplicaDistribution(table(context.inTable()), partitions(context.partitionSelection()));
    }

    @Override
    public Statement visitShowTrash(ThetisParser.ShowTrashContext context) {
        return new ShowTrash(context.STRING_LITERAL() == null ? null : string(context.STRING_LITERAL()));
    }

    @Override
    public Statement visitShowColumnStats(ThetisParser.ShowColumnStatsContext context) {
        return new ShowColumnStats(
                context.CACHED() != null,
                name(context.qualifiedName()),
                Texts.names(context.identifierList()),
                partitions(context.partitionSelection()));
    }

    @Override
    public Statement visitShowAnalyze(ThetisParser.ShowAnalyzeContext context) {
        return new ShowAnalyze(
                context.AUTO() != null,
                Texts.optionalLong(context.INTEGER_LITERAL()),
                optionalName(context.qualifiedName()),
                filter(context.showFilter()));
    }

    @Override
    public Statement visitShowViews(ThetisParser.ShowViewsContext context) {
        return new ShowViews(table(context.inTable()), database(context.inDatabase()));
    }

    @Override
    public Statement visitDescribeTable(ThetisParser.DescribeTableContext context) {
        return new DescribeTable(
                name(context.qualifiedName()), context.ALL() != null, partitions(context.partitionSelection()));
    }

    @Override
    public Statement visitShowLoadWarnings(ThetisParser.ShowLoadWarningsContext context) {
        if (context.STRING_LITERAL() != null) {
            return new ShowLoadWarnings(null, string(context.STRING_LITERAL()), NO_FILTER);
        }
        return new ShowLoadWarnings(database(context.inDatabase()), null, filter(context.showFilter()));
    }

    @Override
    public Statement visitShowTableStats(ThetisParser.ShowTableStatsContext context) {
        if (context.qualifiedName() == null) {
            return new UnsupportedStatement("SHOW TABLE STATS BY ID");
        }
        return new ShowTableStats(
                name(context.qualifiedName()),
                partitions(context.partitionSelection()),
                Texts.names(context.identifierList()));
    }

    @Override
    public Statement visitShowCompatibility(ThetisParser.ShowCompatibilityContext context) {
        return new ShowCompatibility(
                topic(context.compatibilityTopic()), database(context.inDatabase()), filter(context.showFilter()));
    }

    private static ShowCompatibilityKind topic(ThetisParser.CompatibilityTopicContext context) {
        int last = context.getStop().getType();
        return switch (last) {
            case ThetisParser.AUTHORS -> ShowCompatibilityKind.AUTHORS;
            case ThetisParser.CHARSET, ThetisParser.SET -> ShowCompatibilityKind.CHARSET;
            case ThetisParser.COLLATION -> ShowCompatibilityKind.COLLATION;
            case ThetisParser.ENGINES -> ShowCompatibilityKind.ENGINES;
            case ThetisParser.ERRORS -> ShowCompatibilityKind.ERRORS;
            case ThetisParser.WARNINGS -> ShowCompatibilityKind.WARNINGS;
            case ThetisParser.EVENTS -> ShowCompatibilityKind.EVENTS;
            case ThetisParser.TABLES -> ShowCompatibilityKind.OPEN_TABLES;
            case ThetisParser.PLUGINS -> ShowCompatibilityKind.PLUGINS;
            case ThetisParser.PRIVILEGES -> ShowCompatibilityKind.PRIVILEGES;
            case ThetisParser.PROFILES -> ShowCompatibilityKind.PROFILES;
            case ThetisParser.TRIGGERS -> ShowCompatibilityKind.TRIGGERS;
            default -> status(context);
        };
    }

    private static ShowCompatibilityKind status(ThetisParser.CompatibilityTopicContext context) {
        if (context.FUNCTION() != null) {
            return ShowCompatibilityKind.FUNCTION_STATUS;
        }
        return context.PROCEDURE() != null ? ShowCompatibilityKind.PROCEDURE_STATUS : ShowCompatibilityKind.STATUS;
    }

    @Override
    public Statement visitDescribeTableFunction(ThetisParser.DescribeTableFunctionContext context) {
        return new DescribeTableFunction(new Relation.TableFunction(
                SourceText.position(context),
                name(context.qualifiedName()),
                properties(context.propertyList()),
                null,
                List.of()));
    }

    @Override
    public Statement visitExplain(ThetisParser.ExplainContext context) {
        String stage = context.explainStage() == null
                ? null
                : Texts.upper(context.explainStage().getText());
        String format = context.explainFormat().isEmpty()
                ? null
                : Texts.upper(context.explainFormat(0).getText());
        Statement statement = new StatementBuilder(builders()).build(context.explainable());
        return new Explain(stage, format, context.PROCESS() != null, statement);
    }

    private static String alterKind(ThetisParser.ShowAlterTableContext context) {
        if (context.COLUMN() != null) {
            return "COLUMN";
        }
        return context.ROLLUP() != null ? "ROLLUP" : "MATERIALIZED VIEW";
    }

    private static @Nullable QualifiedName database(ThetisParser.@Nullable InDatabaseContext context) {
        return context == null ? null : name(context.qualifiedName());
    }

    private static QualifiedName table(ThetisParser.InTableContext context) {
        return name(context.qualifiedName());
    }

    private ShowFilter filter(ThetisParser.ShowFilterContext context) {
        return new ShowFilter(
                context.STRING_LITERAL() == null ? null : string(context.STRING_LITERAL()),
                expressions().optional(context.expression()),
                builders().queries().orderBy(context.orderByClause()),
                builders().queries().limit(context.limitClause()));
    }
}
