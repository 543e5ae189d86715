// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.parser;

import static org.thetis.sql.parser.SourceText.position;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.antlr.v4.runtime.ParserRuleContext;
import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.Query;
import org.thetis.sql.ast.ddl.ColumnDefinition;
import org.thetis.sql.ast.ddl.CreateTable;
import org.thetis.sql.ast.ddl.DistributionClause;
import org.thetis.sql.ast.ddl.IgnoredClause;
import org.thetis.sql.ast.ddl.IndexDefinition;
import org.thetis.sql.ast.ddl.KeyClause;
import org.thetis.sql.ast.ddl.PartitionClause;
import org.thetis.sql.ast.ddl.RollupDefinition;
import org.thetis.sql.grammar.ThetisParser;

/** Builds CREATE TABLE and the pieces it shares with ALTER TABLE. */
final class TableBuilder {
    private final TreeBuilders builders;
    private final ColumnBuilder columns;
    private final PartitionBuilder partitions;

    TableBuilder(TreeBuilders builders) {
        this.builders = builders;
        this.columns = new ColumnBuilder(builders);
        this.partitions = new PartitionBuilder(builders);
    }

    ColumnBuilder columns() {
        return columns;
    }

    PartitionBuilder partitions() {
        return partitions;
    }

    CreateTable createTable(ThetisParser.CreateTableContext context) {
        Elements elements = new Elements();
        context.tableElement().forEach(elements::add);
        Options options = new Options();
        context.tableOption().forEach(options::add);
        Query query = context.query() == null ? null : builders.queries().build(context.query());
        KeyClause key = options.key != null ? options.key : elements.key();
        if (key != null && !options.clusterBy.isEmpty()) {
            key = new KeyClause(key.position(), key.kind(), key.columns(), options.clusterBy);
        }
        List<IgnoredClause> ignored = new ArrayList<>(elements.ignored);
        ignored.addAll(options.ignored);
        return new CreateTable(
                Texts.qualified(context.qualifiedName()),
                context.ifNotExists() != null,
                context.EXTERNAL() != null,
                context.TEMPORARY() != null,
                elements.definitions,
                elements.indexes,
                options.engine,
                key,
                options.comment,
                options.partitioning,
                options.distribution,
                options.rollups,
                options.properties,
                query,
                ignored);
    }

    /** What stands between the parentheses of CREATE TABLE. */
    private final class Elements {
        private final List<ColumnDefinition> definitions = new ArrayList<>();
        private final List<IndexDefinition> indexes = new ArrayList<>();
        private final List<IgnoredClause> ignored = new ArrayList<>();
        private final List<String> primaryColumns = new ArrayList<>();
        private @Nullable ParserRuleContext primary;

        void add(ThetisParser.TableElementContext context) {
            if (context instanceof ThetisParser.ColumnElementContext column) {
                ThetisParser.ColumnDefinitionContext definition = column.columnDefinition();
                definitions.add(columns.column(definition));
                if (ColumnBuilder.isPrimaryKey(definition)) {
                    primary = definition;
                    primaryColumns.add(Texts.name(definition.identifier()));
                }
            } else if (context instanceof ThetisParser.IndexElementContext index) {
                indexes.add(index(
                        index.identifier(),
                        index.ifNotExists() != null,
                        Texts.names(index.identifierList()),
                        index.indexOption()));
            } else if (context instanceof ThetisParser.PrimaryKeyElementContext key) {
                primary = key;
                key.keyParts().keyPart().forEach(part -> primaryColumns.add(Texts.name(part.identifier())));
            } else {
                ignored.add(
                        new IgnoredClause(position(context), builders.source().text(context)));
            }
        }

        @Nullable
        KeyClause key() {
            if (primary == null) {
                return null;
            }
            return new KeyClause(position(primary), KeyClause.Kind.PRIMARY, primaryColumns, List.of());
        }
    }

    /** What follows the parentheses; the last of a repeated clause wins. */
    private final class Options {
        private final List<RollupDefinition> rollups = new ArrayList<>();
        private final Map<String, String> properties = new LinkedHashMap<>();
        private final List<IgnoredClause> ignored = new ArrayList<>();
        private List<String> clusterBy = List.of();
        private @Nullable String engine;
        private @Nullable KeyClause key;
        private @Nullable String comment;
        private @Nullable PartitionClause partitioning;
        private @Nullable DistributionClause distribution;

        void add(ThetisParser.TableOptionContext context) {
            if (context instanceof ThetisParser.EngineOptionContext option) {
                engine = Texts.nameOrText(option.identifierOrText(), builders.source());
            } else if (context instanceof ThetisParser.KeyClauseOptionContext option) {
                key = keyClause(option);
            } else if (context instanceof ThetisParser.ClusterOptionContext option) {
                clusterBy = Texts.names(option.identifierList());
            } else if (context instanceof ThetisParser.TableCommentOptionContext option) {
                comment = Texts.comment(option.commentClause(), builders.source());
            } else if (context instanceof ThetisParser.PartitionOptionContext option) {
                partitioning = partitions.clause(option.partitionClause());
            } else if (context instanceof ThetisParser.DistributionOptionContext option) {
                distribution = distribution(option.distributionClause());
            } else if (context instanceof ThetisParser.RollupOptionContext option) {
                option.rollupDefinition().forEach(rollup -> rollups.add(rollup(rollup)));
            } else if (context instanceof ThetisParser.TablePropertiesOptionContext option) {
                properties.putAll(Texts.properties(option.propertyClause(), builders.source()));
            } else {
                ignored.add(
                        new IgnoredClause(position(context), builders.source().text(context)));
            }
        }
    }

    private static KeyClause keyClause(ThetisParser.KeyClauseOptionContext context) {
        return new KeyClause(
                position(context),
                KeyClause.Kind.valueOf(Texts.upper(context.getStart())),
                Texts.names(context.identifierList(0)),
                Texts.names(context.identifierList(1)));
    }

    DistributionClause distribution(ThetisParser.DistributionClauseContext context) {
        return new DistributionClause(
                position(context),
                context.RANDOM() != null,
                Texts.names(context.identifierList()),
                context.INTEGER_LITERAL() == null ? null : Texts.intValue(context.INTEGER_LITERAL()),
                context.AUTO() != null);
    }

    RollupDefinition rollup(ThetisParser.RollupDefinitionContext context) {
        return new RollupDefinition(
                position(context),
                Texts.name(context.identifier()),
                Texts.names(context.identifierList(0)),
                Texts.names(context.identifierList(1)),
                Texts.properties(context.propertyClause(), builders.source()));
    }

    IndexDefinition index(
            ThetisParser.IdentifierContext name,
            boolean ifNotExists,
            List<String> indexed,
            List<ThetisParser.IndexOptionContext> options) {
        String kind = null;
        String comment = null;
        Map<String, String> properties = new LinkedHashMap<>();
        for (ThetisParser.IndexOptionContext option : options) {
            if (option instanceof ThetisParser.UsingOptionContext using) {
                kind = Texts.upper(Texts.name(using.identifier()));
            } else if (option instanceof ThetisParser.PropertiesOptionContext given) {
                properties.putAll(Texts.properties(given.propertyClause(), builders.source()));
            } else {
                comment = Texts.comment(
                        ((ThetisParser.IndexCommentOptionContext) option).commentClause(), builders.source());
            }
        }
        return new IndexDefinition(position(name), Texts.name(name), ifNotExists, indexed, kind, properties, comment);
    }
}
