// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.parser;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.antlr.v4.runtime.tree.RuleNode;
import org.antlr.v4.runtime.tree.TerminalNode;
import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.PartitionSelection;
import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Statement;
import org.thetis.sql.ast.UnsupportedStatement;
import org.thetis.sql.ast.UserIdentity;
import org.thetis.sql.grammar.ThetisParser;
import org.thetis.sql.grammar.ThetisParserBaseVisitor;

/**
 * What the builders of statements share. A statement without a visit method becomes an UnsupportedStatement named
 * after its label in the grammar: createRoutineLoad is CREATE ROUTINE LOAD.
 */
abstract class StatementVisitor extends ThetisParserBaseVisitor<Statement> {
    private final TreeBuilders builders;

    StatementVisitor(TreeBuilders builders) {
        this.builders = builders;
    }

    @Override
    public Statement visitChildren(RuleNode node) {
        String label = node.getClass().getSimpleName().replaceFirst("Context$", "");
        String name = label.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toUpperCase(Locale.ROOT);
        return new UnsupportedStatement(name.replace("SQL BLOCK RULE", "SQL_BLOCK_RULE"));
    }

    final TreeBuilders builders() {
        return builders;
    }

    final ExpressionBuilder expressions() {
        return builders.expressions();
    }

    final String string(TerminalNode node) {
        return Texts.string(node, builders.source());
    }

    final List<String> strings(List<TerminalNode> nodes) {
        return nodes.stream().map(this::string).toList();
    }

    final String nameOrText(ThetisParser.IdentifierOrTextContext context) {
        return Texts.nameOrText(context, builders.source());
    }

    final @Nullable String optionalNameOrText(ThetisParser.@Nullable IdentifierOrTextContext context) {
        return context == null ? null : nameOrText(context);
    }

    final @Nullable String comment(ThetisParser.@Nullable CommentClauseContext context) {
        return Texts.comment(context, builders.source());
    }

    final Map<String, String> properties(ThetisParser.@Nullable PropertyClauseContext context) {
        return Texts.properties(context, builders.source());
    }

    final Map<String, String> properties(ThetisParser.@Nullable PropertyListContext context) {
        return Texts.properties(context, builders.source());
    }

    final UserIdentity user(ThetisParser.UserIdentityContext context) {
        return Texts.user(context, builders.source());
    }

    static QualifiedName name(ThetisParser.QualifiedNameContext context) {
        return Texts.qualified(context);
    }

    static @Nullable QualifiedName optionalName(ThetisParser.@Nullable QualifiedNameContext context) {
        return context == null ? null : Texts.qualified(context);
    }

    static @Nullable PartitionSelection partitions(ThetisParser.@Nullable PartitionSelectionContext context) {
        return Texts.partitions(context);
    }
}
