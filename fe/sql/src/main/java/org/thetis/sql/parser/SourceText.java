// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.parser;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.thetis.base.error.SourcePosition;
import org.thetis.sql.grammar.ThetisLexer;

/** The text of one statement with its tokens: positions, source excerpts, parameters in text order, and hints. */
final class SourceText {
    private static final int MAX_QUOTED = 40;

    private final TextIndex text;
    private final ParserOptions options;
    private final Map<Integer, Integer> parameters = new HashMap<>();
    private final Map<Integer, Token> hints = new HashMap<>();

    SourceText(TextIndex text, ParserOptions options, List<Token> tokens) {
        this.text = text;
        this.options = options;
        int previousStart = -1;
        for (Token token : tokens) {
            if (token.getType() == ThetisLexer.QUESTION_MARK) {
                parameters.put(token.getStartIndex(), parameters.size());
            } else if (token.getType() == ThetisLexer.HINT) {
                hints.put(previousStart, token);
            }
            if (token.getChannel() == Token.DEFAULT_CHANNEL) {
                previousStart = token.getStartIndex();
            }
        }
    }

    ParserOptions options() {
        return options;
    }

    int numParameters() {
        return parameters.size();
    }

    int parameterOrdinal(Token token) {
        return parameters.getOrDefault(token.getStartIndex(), 0);
    }

    /** The hint block right after a token, in a list of none or one. */
    List<Token> hintsAfter(Token token) {
        List<Token> found = new ArrayList<>(1);
        Token hint = hints.get(token.getStartIndex());
        if (hint != null) {
            found.add(hint);
        }
        return found;
    }

    /** The source text of a part, exactly as written. */
    String text(ParserRuleContext context) {
        return text(context.getStart(), context.getStop());
    }

    /** The source text from one token to another, both included. */
    String text(Token first, Token last) {
        return text.text(first.getStartIndex(), last.getStopIndex() + 1);
    }

    static SourcePosition position(Token token) {
        return new SourcePosition(token.getLine(), token.getCharPositionInLine(), token.getText());
    }

    static SourcePosition position(ParserRuleContext context) {
        return position(context.getStart());
    }

    /** Line and column, both from 1. */
    static String describe(Token token) {
        return "line " + token.getLine() + ", column " + (token.getCharPositionInLine() + 1);
    }

    /** The token in quotes, cut when long. */
    static String quote(Token token) {
        if (token.getType() == Token.EOF) {
            return "end of statement";
        }
        String text = token.getText();
        if (text.length() > MAX_QUOTED) {
            text = text.substring(0, MAX_QUOTED) + "...";
        }
        return text.startsWith("'") ? text : "'" + text + "'";
    }
}
