// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.parser;

import static org.thetis.sql.parser.SourceText.position;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.PartitionSelection;
import org.thetis.sql.ast.ddl.AlterTableClause;
import org.thetis.sql.ast.ddl.ColumnPosition;
import org.thetis.sql.ast.ddl.ConstraintDefinition;
import org.thetis.sql.ast.ddl.DistributionClause;
import org.thetis.sql.grammar.ThetisParser;
import org.thetis.sql.grammar.ThetisParserBaseVisitor;

/** Builds the clauses of ALTER TABLE. */
final class AlterTableBuilder extends ThetisParserBaseVisitor<AlterTableClause> {
    private final TreeBuilders builders;
    private final TableBuilder tables;

    AlterTableBuilder(TreeBuilders builders, TableBuilder tables) {
        this.builders = builders;
        this.tables = tables;
    }

    @Override
    public AlterTableClause visitAddColumn(ThetisParser.AddColumnContext context) {
        return new AlterTableClause.AddColumn(
                tables.columns().column(context.columnDefinition()),
                columnPosition(context.columnPosition()),
                target(context.rollupTarget()),
                properties(context.propertyClause()));
    }

    @Override
    public AlterTableClause visitAddColumns(ThetisParser.AddColumnsContext context) {
        return new AlterTableClause.AddColumns(
                context.columnDefinition().stream()
                        .map(column -> tables.columns().column(column))
                        .toList(),
                target(context.rollupTarget()),
                properties(context.propertyClause()));
    }

    @Override
    public AlterTableClause visitDropColumn(ThetisParser.DropColumnContext context) {
        return new AlterTableClause.DropColumn(
                Texts.name(context.identifier()), source(context.rollupSource()), properties(context.propertyClause()));
    }

    @Override
    public AlterTableClause visitModifyColumn(ThetisParser.ModifyColumnContext context) {
        return new AlterTableClause.ModifyColumn(
                tables.columns().column(context.columnDefinition()),
                columnPosition(context.columnPosition()),
                source(context.rollupSource()),
                properties(context.propertyClause()));
    }

    @Override
    public AlterTableClause visitModifyColumnComment(ThetisParser.ModifyColumnCommentContext context) {
        return new AlterTableClause.ModifyColumnComment(
                Texts.name(context.identifier()), text(context.commentClause()));
    }

    @Override
    public AlterTableClause visitReorderColumns(ThetisParser.ReorderColumnsContext context) {
        return new AlterTableClause.ReorderColumns(
                Texts.names(context.identifierList()),
                source(context.rollupSource()),
                properties(context.propertyClause()));
    }

    @Override
    public AlterTableClause visitRenameColumn(ThetisParser.RenameColumnContext context) {
        return new AlterTableClause.RenameColumn(Texts.name(context.identifier(0)), Texts.name(context.identifier(1)));
    }

    @Override
    public AlterTableClause visitRenamePartition(ThetisParser.RenamePartitionContext context) {
        return new AlterTableClause.RenamePartition(
                Texts.name(context.identifier(0)), Texts.name(context.identifier(1)));
    }

    @Override
    public AlterTableClause visitRenameRollup(ThetisParser.RenameRollupContext context) {
        return new AlterTableClause.RenameRollup(Texts.name(context.identifier(0)), Texts.name(context.identifier(1)));
    }

    @Override
    public AlterTableClause visitRenameTable(ThetisParser.RenameTableContext context) {
        return new AlterTableClause.RenameTable(Texts.name(context.identifier()));
    }

    @Override
    public AlterTableClause visitAddIndex(ThetisParser.AddIndexContext context) {
        return new AlterTableClause.AddIndex(tables.index(
                context.identifier(),
                context.ifNotExists() != null,
                Texts.names(context.identifierList()),
                context.indexOption()));
    }

    @Override
    public AlterTableClause visitDropTableIndex(ThetisParser.DropTableIndexContext context) {
        return new AlterTableClause.DropIndex(Texts.name(context.identifier()), context.ifExists() != null);
    }

    @Override
    public AlterTableClause visitAddRollups(ThetisParser.AddRollupsContext context) {
        return new AlterTableClause.AddRollups(
                context.rollupDefinition().stream().map(tables::rollup).toList(),
                context.rollupSource().isEmpty() ? null : source(context.rollupSource(0)));
    }

    @Override
    public AlterTableClause visitDropRollups(ThetisParser.DropRollupsContext context) {
        return new AlterTableClause.DropRollups(Texts.names(context.identifier()));
    }

    @Override
    public AlterTableClause visitAddPartition(ThetisParser.AddPartitionContext context) {
        DistributionClause distribution =
                context.distributionClause() == null ? null : tables.distribution(context.distributionClause());
        return new AlterTableClause.AddPartition(
                context.TEMPORARY() != null,
                tables.partitions().definition(context.partitionDefinition()),
                distribution);
    }

    @Override
    public AlterTableClause visitDropPartition(ThetisParser.DropPartitionContext context) {
        List<String> names = new ArrayList<>(Texts.names(context.identifier()));
        String fromIndex = context.FROM() == null ? null : names.remove(names.size() - 1);
        return new AlterTableClause.DropPartition(
                context.TEMPORARY() != null, context.ifExists() != null, names, context.FORCE() != null, fromIndex);
    }

    @Override
    public AlterTableClause visitModifyPartitions(ThetisParser.ModifyPartitionsContext context) {
        PartitionSelection selection = Texts.partitions(context.partitionSelection());
        return new AlterTableClause.ModifyPartitions(
                selection == null ? new PartitionSelection(false, true, List.of()) : selection,
                Texts.properties(context.propertyList(), builders.source()));
    }

    @Override
    public AlterTableClause visitReplacePartitions(ThetisParser.ReplacePartitionsContext context) {
        return new AlterTableClause.ReplacePartitions(
                Texts.names(context.identifierList(0)),
                Texts.names(context.identifierList(1)),
                properties(context.propertyClause()),
                !context.FORCE().isEmpty());
    }

    @Override
    public AlterTableClause visitReplaceTable(ThetisParser.ReplaceTableContext context) {
        return new AlterTableClause.ReplaceTable(
                Texts.name(context.identifier()), properties(context.propertyClause()), context.FORCE() != null);
    }

    @Override
    public AlterTableClause visitSetTableProperties(ThetisParser.SetTablePropertiesContext context) {
        return new AlterTableClause.SetProperties(Texts.properties(context.propertyList(), builders.source()));
    }

    @Override
    public AlterTableClause visitEnableFeature(ThetisParser.EnableFeatureContext context) {
        return new AlterTableClause.EnableFeature(
                Texts.string(context.STRING_LITERAL(), builders.source()),
                Texts.properties(context.propertyList(), builders.source()));
    }

    @Override
    public AlterTableClause visitModifyDistribution(ThetisParser.ModifyDistributionContext context) {
        DistributionClause distribution = context.distributionClause() == null
                ? new DistributionClause(position(context), true, List.of(), null, true)
                : tables.distribution(context.distributionClause());
        return new AlterTableClause.ModifyDistribution(distribution);
    }

    @Override
    public AlterTableClause visitModifyTableComment(ThetisParser.ModifyTableCommentContext context) {
        return new AlterTableClause.ModifyTableComment(text(context.commentClause()));
    }

    @Override
    public AlterTableClause visitModifyEngine(ThetisParser.ModifyEngineContext context) {
        return new AlterTableClause.ModifyEngine(
                Texts.name(context.identifier()), properties(context.propertyClause()));
    }

    @Override
    public AlterTableClause visitAddConstraint(ThetisParser.AddConstraintContext context) {
        return new AlterTableClause.AddConstraint(
                Texts.name(context.identifier()), constraint(context.constraintDefinition()));
    }

    private static ConstraintDefinition constraint(ThetisParser.ConstraintDefinitionContext context) {
        if (context instanceof ThetisParser.PrimaryKeyConstraintContext primary) {
            return new ConstraintDefinition.PrimaryKey(Texts.names(primary.identifierList()));
        }
        if (context instanceof ThetisParser.UniqueConstraintContext unique) {
            return new ConstraintDefinition.Unique(Texts.names(unique.identifierList()));
        }
        ThetisParser.ForeignKeyConstraintContext foreign = (ThetisParser.ForeignKeyConstraintContext) context;
        return new ConstraintDefinition.ForeignKey(
                Texts.names(foreign.identifierList(0)),
                Texts.qualified(foreign.qualifiedName()),
                Texts.names(foreign.identifierList(1)));
    }

    @Override
    public AlterTableClause visitDropConstraint(ThetisParser.DropConstraintContext context) {
        return new AlterTableClause.DropConstraint(Texts.name(context.identifier()));
    }

    @Override
    public AlterTableClause visitSetColumnStatistics(ThetisParser.SetColumnStatisticsContext context) {
        return new AlterTableClause.SetColumnStatistics(
                Texts.name(context.identifier(0)),
                Texts.optionalName(context.identifier(1)),
                Texts.properties(context.propertyList(), builders.source()),
                Texts.partitions(context.partitionSelection()));
    }

    private String text(ThetisParser.CommentClauseContext context) {
        return Texts.string(context.STRING_LITERAL(), builders.source());
    }

    private Map<String, String> properties(ThetisParser.@Nullable PropertyClauseContext context) {
        return Texts.properties(context, builders.source());
    }

    private static @Nullable ColumnPosition columnPosition(ThetisParser.@Nullable ColumnPositionContext context) {
        return context == null ? null : new ColumnPosition(Texts.optionalName(context.identifier()));
    }

    private static @Nullable String target(ThetisParser.@Nullable RollupTargetContext context) {
        return context == null ? null : Texts.name(context.identifier());
    }

    private static @Nullable String source(ThetisParser.@Nullable RollupSourceContext context) {
        return context == null ? null : Texts.name(context.identifier());
    }
}
