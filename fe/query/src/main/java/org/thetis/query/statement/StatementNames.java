// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement;

import java.util.Locale;
import org.thetis.sql.ast.Statement;

/** Names statements as a user would write them. */
public final class StatementNames {
    private StatementNames() {}

    /** The record's name as upper-case words: ShowDataSkew is SHOW DATA SKEW. */
    public static String of(Statement statement) {
        return statement
                .getClass()
                .getSimpleName()
                .replaceAll("(?<=[a-z])(?=[A-Z])", " ")
                .toUpperCase(Locale.ROOT);
    }
}
