// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.parser;

import static org.thetis.sql.parser.SourceText.position;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.TerminalNode;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.sql.ast.PartitionSelection;
import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.UserIdentity;
import org.thetis.sql.grammar.ThetisParser;

/** Reads names, literals and property lists out of tokens. */
final class Texts {
    private static final int MAX_DIGITS = 2000;

    private Texts() {}

    // Names

    static String name(ThetisParser.IdentifierContext context) {
        if (context.QUOTED_IDENTIFIER() != null) {
            return quotedName(context.getStart());
        }
        return context.getStart().getText();
    }

    private static String quotedName(Token token) {
        String text = token.getText();
        String name = text.substring(1, text.length() - 1).replace("``", "`");
        if (name.isEmpty()) {
            throw failure(token, "a quoted name is empty");
        }
        return name;
    }

    static @Nullable String optionalName(ThetisParser.@Nullable IdentifierContext context) {
        return context == null ? null : name(context);
    }

    static List<String> names(ThetisParser.@Nullable IdentifierListContext context) {
        return context == null ? List.of() : names(context.identifier());
    }

    static List<String> names(List<ThetisParser.IdentifierContext> contexts) {
        return contexts.stream().map(Texts::name).toList();
    }

    static QualifiedName qualified(ThetisParser.QualifiedNameContext context) {
        List<String> parts = new ArrayList<>(context.getChildCount());
        for (var child : context.children) {
            if (child instanceof ThetisParser.IdentifierContext identifier) {
                parts.add(name(identifier));
            } else if (child instanceof TerminalNode node && node.getSymbol().getType() == ThetisParser.DOT_NAME) {
                parts.add(node.getText().substring(1));
            }
        }
        return new QualifiedName(position(context), parts);
    }

    static String upper(String text) {
        return text.toUpperCase(Locale.ROOT);
    }

    static String upper(Token token) {
        return upper(token.getText());
    }

    // Literals

    static String nameOrText(ThetisParser.IdentifierOrTextContext context, SourceText source) {
        return context.STRING_LITERAL() != null
                ? string(context.STRING_LITERAL().getSymbol(), source)
                : name(context.identifier());
    }

    static String string(TerminalNode node, SourceText source) {
        return string(node.getSymbol(), source);
    }

    /** The value of a string literal: without quotes, doubled quotes and escapes resolved. */
    static String string(Token token, SourceText source) {
        String text = token.getText();
        if (text.charAt(0) == 'n' || text.charAt(0) == 'N') {
            text = text.substring(1);
        }
        char first = text.charAt(0);
        if (first == 'r' || first == 'R') {
            return text.substring(2, text.length() - 1);
        }
        return QuotedText.value(text, 0, text.length(), !source.options().noBackslashEscapes());
    }

    static boolean isDecimal(Token token) {
        String text = token.getText();
        return token.getType() == ThetisParser.DECIMAL_LITERAL || upper(text).endsWith("BD");
    }

    static BigInteger integer(Token token) {
        checkLength(token);
        return new BigInteger(withoutSuffix(token.getText()));
    }

    static BigDecimal decimal(Token token) {
        checkLength(token);
        try {
            BigDecimal value = new BigDecimal(withoutSuffix(token.getText()));
            if (Math.abs((long) value.scale()) > MAX_DIGITS) {
                throw failure(token, "the number is out of range");
            }
            return value;
        } catch (NumberFormatException e) {
            throw failure(token, "the number is out of range");
        }
    }

    static String withoutSuffix(String number) {
        return upper(number).endsWith("BD") ? number.substring(0, number.length() - 2) : number;
    }

    static long longValue(TerminalNode node) {
        try {
            return integer(node.getSymbol()).longValueExact();
        } catch (ArithmeticException | NumberFormatException e) {
            throw failure(node.getSymbol(), "the number is out of range");
        }
    }

    static @Nullable Long optionalLong(@Nullable TerminalNode node) {
        return node == null ? null : longValue(node);
    }

    static int intValue(TerminalNode node) {
        long value = longValue(node);
        if (value > Integer.MAX_VALUE) {
            throw failure(node.getSymbol(), "the number is out of range");
        }
        return (int) value;
    }

    static List<Long> longs(ThetisParser.@Nullable IntegerListContext context) {
        return context == null ? List.of() : longs(context.INTEGER_LITERAL());
    }

    static List<Long> longs(List<TerminalNode> nodes) {
        return nodes.stream().map(Texts::longValue).toList();
    }

    private static void checkLength(Token token) {
        if (token.getStopIndex() - token.getStartIndex() > MAX_DIGITS) {
            throw failure(token, "the number has too many digits");
        }
    }

    // Shared clauses

    static @Nullable String comment(ThetisParser.@Nullable CommentClauseContext context, SourceText source) {
        return context == null ? null : string(context.STRING_LITERAL(), source);
    }

    static Map<String, String> properties(ThetisParser.@Nullable PropertyClauseContext context, SourceText source) {
        return context == null ? Map.of() : properties(context.propertyList(), source);
    }

    static Map<String, String> properties(ThetisParser.@Nullable PropertyListContext context, SourceText source) {
        return context == null ? Map.of() : properties(context.property(), source);
    }

    /** Pairs in the order of the text; a repeated key keeps its last value. */
    static Map<String, String> properties(List<ThetisParser.PropertyContext> contexts, SourceText source) {
        Map<String, String> properties = new LinkedHashMap<>();
        for (ThetisParser.PropertyContext property : contexts) {
            TerminalNode keyText = property.propertyKey().STRING_LITERAL();
            TerminalNode valueText = property.propertyValue().STRING_LITERAL();
            String key = keyText != null
                    ? string(keyText, source)
                    : property.propertyKey().getText().replace("`", "");
            String value = valueText != null
                    ? string(valueText, source)
                    : property.propertyValue().getText().replace("`", "");
            properties.put(key, value);
        }
        return properties;
    }

    static @Nullable PartitionSelection partitions(ThetisParser.@Nullable PartitionSelectionContext context) {
        if (context == null) {
            return null;
        }
        boolean temporary = context.TEMPORARY() != null;
        if (context.STAR() != null) {
            return new PartitionSelection(temporary, true, List.of());
        }
        List<String> names =
                context.identifier() != null ? List.of(name(context.identifier())) : names(context.identifierList());
        return new PartitionSelection(temporary, false, names);
    }

    static UserIdentity user(ThetisParser.UserIdentityContext context, SourceText source) {
        String user = nameOrText(context.user, source);
        if (context.domain != null) {
            return new UserIdentity(user, nameOrText(context.domain, source), true);
        }
        return new UserIdentity(user, context.host == null ? "%" : nameOrText(context.host, source), false);
    }

    static ThetisException failure(Token token, String what) {
        return new ThetisException(
                ErrorCode.SYNTAX_ERROR, "Syntax error at " + SourceText.describe(token) + ": " + what, position(token));
    }
}
