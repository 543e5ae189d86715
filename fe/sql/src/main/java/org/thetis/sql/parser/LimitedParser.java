// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.parser;

import org.antlr.v4.runtime.BailErrorStrategy;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.ParserRuleContext;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.sql.grammar.ThetisParser;

/**
 * The generated parser with a limit on rule nesting, which bounds the stack of the parser, of the tree builders and of
 * whatever walks the tree later. Gives up at the first error.
 */
final class LimitedParser extends ThetisParser {
    /** Rules nest about five deep per pair of parentheses. Tested to fit the default thread stack of 1 MB. */
    static final int MAX_RULE_DEPTH = 2400;

    private int depth;

    LimitedParser(CommonTokenStream tokens) {
        super(tokens);
        removeErrorListeners();
        setErrorHandler(new BailErrorStrategy());
    }

    /** Starts over, now reporting the first error in words. */
    void explainErrors() {
        reset();
        depth = 0;
        setErrorHandler(new SyntaxErrorStrategy());
    }

    @Override
    public void enterRule(ParserRuleContext context, int state, int ruleIndex) {
        enter();
        super.enterRule(context, state, ruleIndex);
    }

    @Override
    public void enterRecursionRule(ParserRuleContext context, int state, int ruleIndex, int precedence) {
        enter();
        super.enterRecursionRule(context, state, ruleIndex, precedence);
    }

    @Override
    public void exitRule() {
        depth--;
        super.exitRule();
    }

    @Override
    public void unrollRecursionContexts(ParserRuleContext parent) {
        depth--;
        super.unrollRecursionContexts(parent);
    }

    private void enter() {
        depth++;
        if (depth > MAX_RULE_DEPTH) {
            throw new ThetisException(
                    ErrorCode.SYNTAX_ERROR,
                    "Syntax error at " + SourceText.describe(getCurrentToken())
                            + ": the statement is nested too deeply",
                    SourceText.position(getCurrentToken()));
        }
    }
}
