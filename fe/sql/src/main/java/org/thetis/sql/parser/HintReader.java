// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.parser;

import static org.thetis.sql.parser.SourceText.position;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.antlr.v4.runtime.Token;
import org.thetis.base.error.ThetisException;
import org.thetis.sql.ast.Hint;
import org.thetis.sql.grammar.ThetisLexer;

/**
 * Reads a hint block. Nothing in a hint is an error: what is not understood becomes a hint with that name, for the
 * planner to report as unused.
 */
final class HintReader {
    private final List<Token> tokens;
    private final SourceText source;
    private final Token block;
    private int next;

    private HintReader(List<Token> tokens, SourceText source, Token block) {
        this.tokens = tokens;
        this.source = source;
        this.block = block;
    }

    static List<Hint> read(Token block, SourceText source) {
        String text = block.getText();
        String inner = text.substring(3, text.length() - 2);
        List<Token> tokens;
        try {
            tokens = TokenReader.read(inner, source.options());
        } catch (ThetisException e) {
            return List.of(new Hint(position(block), inner.strip(), "", Map.of()));
        }
        return new HintReader(tokens, source, block).hints(inner);
    }

    private List<Hint> hints(String inner) {
        List<Hint> hints = new ArrayList<>();
        while (type() != Token.EOF) {
            String name = take().getText();
            if (type() != ThetisLexer.LEFT_PAREN) {
                if (!name.equals(",")) {
                    hints.add(new Hint(position(block), name, "", Map.of()));
                }
                continue;
            }
            int begin = next + 1;
            int end = closing();
            List<Token> arguments = tokens.subList(begin, end);
            String text = arguments.isEmpty()
                    ? ""
                    : new TextIndex(inner)
                            .text(
                                    arguments.get(0).getStartIndex(),
                                    arguments.get(arguments.size() - 1).getStopIndex() + 1);
            hints.add(new Hint(position(block), name, text, settings(arguments)));
            next = Math.min(end + 1, tokens.size() - 1);
        }
        return hints;
    }

    private int type() {
        return tokens.get(next).getType();
    }

    private Token take() {
        return tokens.get(next++);
    }

    /** Index of the parenthesis that closes the one at next, or of the end. */
    private int closing() {
        int depth = 0;
        int index = next;
        while (tokens.get(index).getType() != Token.EOF) {
            int type = tokens.get(index).getType();
            if (type == ThetisLexer.LEFT_PAREN) {
                depth++;
            } else if (type == ThetisLexer.RIGHT_PAREN && --depth == 0) {
                return index;
            }
            index++;
        }
        return index;
    }

    /** Pairs of the form key = value, separated by commas; other arguments give no pairs. */
    private Map<String, String> settings(List<Token> arguments) {
        Map<String, String> settings = new LinkedHashMap<>();
        int index = 0;
        while (index + 2 < arguments.size() && arguments.get(index + 1).getType() == ThetisLexer.EQUAL) {
            StringBuilder value = new StringBuilder();
            int at = index + 2;
            while (at < arguments.size() && arguments.get(at).getType() != ThetisLexer.COMMA) {
                value.append(text(arguments.get(at)));
                at++;
            }
            settings.put(text(arguments.get(index)), value.toString());
            index = at + 1;
        }
        return settings;
    }

    private String text(Token token) {
        return switch (token.getType()) {
            case ThetisLexer.STRING_LITERAL -> Texts.string(token, source);
            case ThetisLexer.QUOTED_IDENTIFIER -> token.getText().replace("`", "");
            default -> token.getText();
        };
    }
}
