// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.parser;

import static org.thetis.sql.parser.SourceText.position;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.SourcePosition;
import org.thetis.sql.ast.Expression;
import org.thetis.sql.ast.ddl.ColumnDefinition;
import org.thetis.sql.ast.ddl.DefaultValue;
import org.thetis.sql.ast.ddl.IgnoredClause;
import org.thetis.sql.grammar.ThetisParser;

/** Builds column definitions. */
final class ColumnBuilder {
    private final TreeBuilders builders;

    ColumnBuilder(TreeBuilders builders) {
        this.builders = builders;
    }

    static boolean isPrimaryKey(ThetisParser.ColumnDefinitionContext context) {
        return context.columnOption().stream().anyMatch(ThetisParser.PrimaryKeyOptionContext.class::isInstance);
    }

    ColumnDefinition column(ThetisParser.ColumnDefinitionContext context) {
        Options options = new Options();
        context.columnOption().forEach(options::add);
        return new ColumnDefinition(
                position(context),
                Texts.name(context.identifier()),
                context.dataType() == null ? null : builders.types().build(context.dataType()),
                options.key,
                options.aggregate,
                options.nullable,
                options.generated,
                options.autoIncrement,
                options.defaultValue,
                options.onUpdate,
                options.comment,
                options.ignored);
    }

    /** Options come in any order; the last of a repeated one wins. */
    private final class Options {
        private final List<IgnoredClause> ignored = new ArrayList<>();
        private boolean key;
        private @Nullable String aggregate;
        private @Nullable Boolean nullable;
        private @Nullable Expression generated;
        private @Nullable Long autoIncrement;
        private @Nullable DefaultValue defaultValue;
        private @Nullable DefaultValue onUpdate;
        private @Nullable String comment;

        void add(ThetisParser.ColumnOptionContext context) {
            if (context instanceof ThetisParser.KeyOptionContext) {
                key = true;
            } else if (context instanceof ThetisParser.PrimaryKeyOptionContext) {
                key = true;
            } else if (context instanceof ThetisParser.AggregateOptionContext option) {
                aggregate = Texts.upper(option.aggregate);
            } else if (context instanceof ThetisParser.NotNullOptionContext) {
                nullable = false;
            } else if (context instanceof ThetisParser.NullOptionContext) {
                nullable = true;
            } else if (context instanceof ThetisParser.GeneratedOptionContext option) {
                generated = builders.expressions().build(option.expression());
            } else if (context instanceof ThetisParser.AutoIncrementOptionContext option) {
                autoIncrement = option.INTEGER_LITERAL() == null ? 1L : Texts.longValue(option.INTEGER_LITERAL());
            } else if (context instanceof ThetisParser.DefaultOptionContext option) {
                defaultValue = value(option.defaultValue());
            } else if (context instanceof ThetisParser.OnUpdateOptionContext option) {
                onUpdate = value(option.defaultValue());
            } else if (context instanceof ThetisParser.CommentOptionContext option) {
                comment = Texts.comment(option.commentClause(), builders.source());
            } else {
                ignored.add(
                        new IgnoredClause(position(context), builders.source().text(context)));
            }
        }
    }

    private DefaultValue value(ThetisParser.DefaultValueContext context) {
        SourcePosition position = position(context);
        if (context.identifier() != null) {
            return named(position, context);
        }
        if (context.STRING_LITERAL() != null) {
            String text = Texts.string(context.STRING_LITERAL(), builders.source());
            return new DefaultValue(position, DefaultValue.Kind.LITERAL, text, null);
        }
        if (context.NULL() != null) {
            return new DefaultValue(position, DefaultValue.Kind.NULL, null, null);
        }
        if (context.LEFT_BRACKET() != null) {
            return new DefaultValue(position, DefaultValue.Kind.EMPTY_ARRAY, null, null);
        }
        String text = Texts.withoutSuffix(context.getText());
        return new DefaultValue(
                position, DefaultValue.Kind.LITERAL, text.startsWith("+") ? text.substring(1) : text, null);
    }

    private static DefaultValue named(SourcePosition position, ThetisParser.DefaultValueContext context) {
        DefaultValue.Kind kind =
                switch (Texts.name(context.identifier()).toLowerCase(Locale.ROOT)) {
                    case "current_timestamp", "now", "localtime", "localtimestamp" ->
                        DefaultValue.Kind.CURRENT_TIMESTAMP;
                    case "current_date", "curdate" -> DefaultValue.Kind.CURRENT_DATE;
                    case "pi" -> DefaultValue.Kind.PI;
                    case "e" -> DefaultValue.Kind.E;
                    case "bitmap_empty" -> DefaultValue.Kind.BITMAP_EMPTY;
                    default ->
                        throw Texts.failure(
                                context.getStart(),
                                "'" + context.getText() + "' is not a default value; strings need quotes");
                };
        Integer precision = context.INTEGER_LITERAL() == null ? null : Texts.intValue(context.INTEGER_LITERAL());
        return new DefaultValue(position, kind, null, precision);
    }
}
