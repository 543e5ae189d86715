// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.parser;

import com.google.common.collect.ImmutableSet;
import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.DefaultErrorStrategy;
import org.antlr.v4.runtime.NoViableAltException;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.misc.IntervalSet;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.sql.grammar.ThetisParser;

/** Throws at the first error, with the token found and the few tokens that would have fitted there. */
final class SyntaxErrorStrategy extends DefaultErrorStrategy {
    private static final int MAX_EXPECTED = 8;

    /** What may follow an operand inside an expression. */
    private static final ImmutableSet<Integer> OPERATORS = ImmutableSet.of(
            ThetisParser.CONCAT_PIPE,
            ThetisParser.LEFT_BRACKET,
            ThetisParser.DOT,
            ThetisParser.DOT_NAME,
            ThetisParser.PLUS,
            ThetisParser.MINUS,
            ThetisParser.STAR,
            ThetisParser.SLASH,
            ThetisParser.PERCENT,
            ThetisParser.DIV,
            ThetisParser.MOD,
            ThetisParser.CARET,
            ThetisParser.PIPE,
            ThetisParser.AMPERSAND,
            ThetisParser.EQUAL,
            ThetisParser.NULL_SAFE_EQUAL,
            ThetisParser.NOT_EQUAL,
            ThetisParser.LESS,
            ThetisParser.LESS_OR_EQUAL,
            ThetisParser.GREATER,
            ThetisParser.GREATER_OR_EQUAL,
            ThetisParser.AND,
            ThetisParser.OR,
            ThetisParser.XOR,
            ThetisParser.NOT,
            ThetisParser.DOUBLE_AMPERSAND,
            ThetisParser.DOUBLE_PIPE,
            ThetisParser.BETWEEN,
            ThetisParser.IN,
            ThetisParser.IS,
            ThetisParser.LIKE,
            ThetisParser.REGEXP,
            ThetisParser.RLIKE,
            ThetisParser.COLLATE,
            ThetisParser.MATCH,
            ThetisParser.MATCH_ALL,
            ThetisParser.MATCH_ANY,
            ThetisParser.MATCH_PHRASE,
            ThetisParser.MATCH_PHRASE_EDGE,
            ThetisParser.MATCH_PHRASE_PREFIX,
            ThetisParser.MATCH_REGEXP,
            ThetisParser.MATCH_ELEMENT_EQ,
            ThetisParser.MATCH_ELEMENT_GE,
            ThetisParser.MATCH_ELEMENT_GT,
            ThetisParser.MATCH_ELEMENT_LE,
            ThetisParser.MATCH_ELEMENT_LT);

    /** What the decisions passed at the token number expectedAt would have taken: alternatives to that token. */
    private final IntervalSet expected = new IntervalSet();

    private int expectedAt = -1;

    @Override
    public void sync(Parser recognizer) {
        collect(recognizer, recognizer.getCurrentToken());
    }

    @Override
    public void recover(Parser recognizer, RecognitionException error) {
        throw failure(recognizer, error.getOffendingToken(), error);
    }

    @Override
    public Token recoverInline(Parser recognizer) {
        throw failure(recognizer, recognizer.getCurrentToken(), null);
    }

    @Override
    public void reportError(Parser recognizer, RecognitionException error) {
        throw failure(recognizer, error.getOffendingToken(), error);
    }

    private void collect(Parser recognizer, Token token) {
        if (token.getTokenIndex() != expectedAt) {
            expected.clear();
            expectedAt = token.getTokenIndex();
        }
        expected.addAll(
                recognizer.getATN().nextTokens(recognizer.getATN().states.get(recognizer.getState())));
    }

    private ThetisException failure(Parser recognizer, Token token, @Nullable RecognitionException error) {
        boolean expectationKnown = true;
        if (error instanceof NoViableAltException noAlternative) {
            // The decision started earlier: what it expected there says nothing about this token.
            expectationKnown = noAlternative.getStartToken() == token;
        }
        String message = "Syntax error at " + SourceText.describe(token) + ": unexpected " + SourceText.quote(token)
                + previous(recognizer, token);
        if (expectationKnown) {
            collect(recognizer, token);
            message += expectation(recognizer);
        }
        return new ThetisException(ErrorCode.SYNTAX_ERROR, message, SourceText.position(token));
    }

    /** The mistake is often the word before, as in SELECT a FORM t, where FORM reads as an alias. */
    private static String previous(Parser recognizer, Token token) {
        for (int index = token.getTokenIndex() - 1; index >= 0; index--) {
            Token earlier = recognizer.getInputStream().get(index);
            if (earlier.getChannel() == Token.DEFAULT_CHANNEL) {
                return " after " + SourceText.quote(earlier);
            }
        }
        return "";
    }

    /** Where an expression could go on, the many operators are summed up, so that the other choices stay visible. */
    private String expectation(Parser recognizer) {
        boolean name = expected.contains(ThetisParser.IDENTIFIER);
        boolean operator = expected.contains(ThetisParser.CONCAT_PIPE);
        List<String> words = new ArrayList<>();
        if (name) {
            words.add("a name");
        }
        for (int type : expected.toList()) {
            if (type == Token.EOF) {
                words.add("end of statement");
            } else if (type > 0 && !(name && NameTokens.isName(type)) && !(operator && OPERATORS.contains(type))) {
                words.add(word(recognizer, type));
            }
        }
        if (words.size() > MAX_EXPECTED) {
            words = new ArrayList<>(words.subList(0, MAX_EXPECTED));
            words.add("...");
        }
        if (operator) {
            words.add("an operator");
        }
        return words.isEmpty() ? "" : "; expected " + String.join(", ", words);
    }

    private static String word(Parser recognizer, int type) {
        String literal = recognizer.getVocabulary().getLiteralName(type);
        if (literal != null) {
            String plain = literal.substring(1, literal.length() - 1);
            return Character.isLetter(plain.charAt(0)) ? plain : literal;
        }
        return switch (type) {
            case ThetisParser.STRING_LITERAL -> "a string";
            case ThetisParser.INTEGER_LITERAL, ThetisParser.DECIMAL_LITERAL -> "a number";
            case ThetisParser.EQUAL -> "'='";
            case ThetisParser.NOT_EQUAL -> "'<>'";
            default -> recognizer.getVocabulary().getDisplayName(type);
        };
    }
}
