// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.parser;

import com.google.common.collect.ImmutableSet;
import org.antlr.v4.runtime.atn.ATN;
import org.thetis.sql.grammar.ThetisParser;

/** Which token types may stand for a name: identifiers and the non-reserved keywords, as the grammar says. */
final class NameTokens {
    private static final ImmutableSet<Integer> NAMES = read();

    private NameTokens() {}

    static boolean isName(int tokenType) {
        return NAMES.contains(tokenType);
    }

    private static ImmutableSet<Integer> read() {
        ATN atn = ThetisParser._ATN;
        return ImmutableSet.copyOf(atn.nextTokens(atn.ruleToStartState[ThetisParser.RULE_identifier])
                .toSet());
    }
}
