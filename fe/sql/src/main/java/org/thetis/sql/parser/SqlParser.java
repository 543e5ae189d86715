// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.parser;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.ListTokenSource;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.atn.PredictionMode;
import org.antlr.v4.runtime.misc.ParseCancellationException;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.sql.ast.Expression;
import org.thetis.sql.ast.Statement;
import org.thetis.sql.ast.TypeName;
import org.thetis.sql.ast.UnsupportedStatement;
import org.thetis.sql.grammar.ThetisLexer;
import org.thetis.sql.grammar.ThetisParser;

/**
 * Turns SQL text into statements. Stateless and thread-safe.
 *
 * <p>Every failure is a ThetisException with code SYNTAX_ERROR whose message names line and column (both from 1) and
 * the offending token. Nesting is limited, so hostile text cannot exhaust the stack.
 */
public final class SqlParser {
    /**
     * Parses all statements of a text, separated by semicolons. Empty statements are left out, so the list is empty for
     * blank text and comments.
     */
    public List<ParsedStatement> parseAll(String sql, ParserOptions options) {
        List<ParsedStatement> statements = new ArrayList<>();
        List<Token> tokens = TokenReader.read(sql, options);
        TextIndex index = new TextIndex(sql);
        int begin = 0;
        while (begin < tokens.size()) {
            int type = tokens.get(begin).getType();
            if (type == Token.EOF) {
                break;
            }
            if (type == ThetisLexer.SEMICOLON || tokens.get(begin).getChannel() != Token.DEFAULT_CHANNEL) {
                begin++;
                continue;
            }
            int end = endOfStatement(tokens, begin);
            statements.add(parseOne(index, options, tokens.subList(begin, end), tokens.get(end)));
            begin = end + 1;
        }
        return statements;
    }

    /** Parses text that holds exactly one statement. */
    public ParsedStatement parseOne(String sql, ParserOptions options) {
        List<ParsedStatement> statements = parseAll(sql, options);
        if (statements.size() != 1) {
            throw new ThetisException(
                    ErrorCode.SYNTAX_ERROR, "Syntax error: expected one statement, found " + statements.size());
        }
        return statements.get(0);
    }

    /** Parses text that holds exactly one statement, with default options. */
    public Statement parse(String sql) {
        return parseOne(sql, ParserOptions.DEFAULT).statement();
    }

    /** Parses one expression, such as a column mapping of a load. */
    public Expression parseExpression(String text) {
        return parseExpression(text, ParserOptions.DEFAULT);
    }

    /** Parses one expression under the given options. */
    public Expression parseExpression(String text, ParserOptions options) {
        List<Token> tokens = TokenReader.read(text, options);
        SourceText source = new SourceText(new TextIndex(text), options, tokens);
        return run(tokens, ThetisParser::singleExpression, context -> new TreeBuilders(source)
                .expressions()
                .build(context.expression()));
    }

    /** Parses one type name, such as decimal(10, 2). */
    public TypeName parseType(String text) {
        List<Token> tokens = TokenReader.read(text, ParserOptions.DEFAULT);
        SourceText source = new SourceText(new TextIndex(text), ParserOptions.DEFAULT, tokens);
        return run(tokens, ThetisParser::singleType, context -> new TreeBuilders(source)
                .types()
                .build(context.dataType()));
    }

    private static ParsedStatement parseOne(TextIndex text, ParserOptions options, List<Token> body, Token end) {
        List<Token> tokens = new ArrayList<>(body.size() + 1);
        tokens.addAll(body);
        tokens.add(end);
        SourceText source = new SourceText(text, options, tokens);
        Statement statement;
        try {
            statement =
                    run(tokens, ThetisParser::singleStatement, context -> new StatementBuilder(new TreeBuilders(source))
                            .build(context.statement()));
        } catch (ThetisException error) {
            Optional<String> foreign =
                    error.code() == ErrorCode.SYNTAX_ERROR ? ForeignStatements.name(body) : Optional.empty();
            statement = new UnsupportedStatement(foreign.orElseThrow(() -> error));
        }
        String own = source.text(body.get(0), body.get(body.size() - 1));
        return new ParsedStatement(statement, own, source.numParameters());
    }

    /** Index of the semicolon or end of input that ends the statement; a procedure body runs to the end of the text. */
    private static int endOfStatement(List<Token> tokens, int begin) {
        boolean procedure = isProcedure(tokens, begin);
        int index = begin;
        while (tokens.get(index).getType() != Token.EOF
                && (procedure || tokens.get(index).getType() != ThetisLexer.SEMICOLON)) {
            index++;
        }
        return index;
    }

    private static boolean isProcedure(List<Token> tokens, int begin) {
        if (tokens.get(begin).getType() != ThetisLexer.CREATE) {
            return false;
        }
        for (int index = begin + 1; index < Math.min(begin + 5, tokens.size()); index++) {
            int type = tokens.get(index).getType();
            if (type == ThetisLexer.PROCEDURE || type == ThetisLexer.PROC) {
                return true;
            }
            if (type != ThetisLexer.OR && type != ThetisLexer.REPLACE) {
                return false;
            }
        }
        return false;
    }

    /**
     * Runs the quick prediction first and, when it fails, the full one, which also words the error. SLL may refuse a
     * valid text in rare cases but never accepts an invalid one.
     */
    private static <C extends ParserRuleContext, R> R run(
            List<Token> tokens, Function<ThetisParser, C> rule, Function<C, R> build) {
        LimitedParser parser = new LimitedParser(new CommonTokenStream(new ListTokenSource(tokens)));
        try {
            C context;
            try {
                parser.getInterpreter().setPredictionMode(PredictionMode.SLL);
                context = rule.apply(parser);
            } catch (ParseCancellationException e) {
                parser.explainErrors();
                parser.getInterpreter().setPredictionMode(PredictionMode.LL);
                context = rule.apply(parser);
            }
            return build.apply(context);
        } catch (StackOverflowError e) {
            // The limits fit a stack of 1 MB; this is for callers on smaller ones.
            throw new ThetisException(ErrorCode.SYNTAX_ERROR, "Syntax error: the statement is nested too deeply", e);
        }
    }
}
