// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.parser;

import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonToken;
import org.antlr.v4.runtime.Token;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.sql.grammar.ThetisLexer;

/**
 * Splits text into tokens and refuses at once what would make later stages slow: unknown characters and open quotes,
 * and brackets nested so deeply that prediction would grow with every level.
 */
final class TokenReader {
    static final int MAX_BRACKETS = 400;

    private TokenReader() {}

    /** All tokens including hints, ending with EOF. */
    static List<Token> read(String sql, ParserOptions options) {
        ThetisLexer lexer = new ThetisLexer(CharStreams.fromString(sql));
        lexer.removeErrorListeners();
        lexer.setBackslashEscapes(!options.noBackslashEscapes());
        List<Token> tokens = new ArrayList<>(Math.max(16, sql.length() / 5));
        int brackets = 0;
        while (true) {
            Token token = lexer.nextToken();
            switch (token.getType()) {
                case ThetisLexer.UNRECOGNIZED -> throw failure(token, unrecognized(token));
                case ThetisLexer.LEFT_PAREN, ThetisLexer.LEFT_BRACKET, ThetisLexer.LEFT_BRACE -> {
                    brackets++;
                    if (brackets > MAX_BRACKETS) {
                        throw failure(token, "brackets are nested too deeply");
                    }
                }
                // Ranges such as [(1), (2)) close a bracket with a parenthesis, so kinds are not told apart.
                case ThetisLexer.RIGHT_PAREN, ThetisLexer.RIGHT_BRACKET, ThetisLexer.RIGHT_BRACE ->
                    brackets = Math.max(0, brackets - 1);
                case ThetisLexer.SEMICOLON -> brackets = 0;
                case ThetisLexer.DOUBLE_PIPE -> {
                    if (options.pipesAsConcat() && token instanceof CommonToken writable) {
                        writable.setType(ThetisLexer.CONCAT_PIPE);
                    }
                }
                default -> {}
            }
            tokens.add(token);
            if (token.getType() == Token.EOF) {
                if (lexer._mode != ThetisLexer.DEFAULT_MODE) {
                    throw failure(token, "a comment is not closed");
                }
                return tokens;
            }
        }
    }

    private static String unrecognized(Token token) {
        return switch (token.getText()) {
            case "'", "\"" -> "a string is not closed";
            case "`" -> "a quoted name is not closed";
            default -> "unexpected character " + SourceText.quote(token);
        };
    }

    private static ThetisException failure(Token token, String what) {
        return new ThetisException(
                ErrorCode.SYNTAX_ERROR,
                "Syntax error at " + SourceText.describe(token) + ": " + what,
                SourceText.position(token));
    }
}
