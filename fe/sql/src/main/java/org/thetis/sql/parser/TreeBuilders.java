// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.parser;

/** The builders of one statement, which call each other: queries hold expressions and expressions hold queries. */
final class TreeBuilders {
    private final SourceText source;
    private final TypeBuilder types;
    private final ExpressionBuilder expressions;
    private final QueryBuilder queries;
    private final NamedWindows windows;

    TreeBuilders(SourceText source) {
        this.source = source;
        this.types = new TypeBuilder(source);
        this.expressions = new ExpressionBuilder(this);
        this.queries = new QueryBuilder(this);
        this.windows = new NamedWindows(expressions.primaries().functions());
    }

    SourceText source() {
        return source;
    }

    TypeBuilder types() {
        return types;
    }

    ExpressionBuilder expressions() {
        return expressions;
    }

    NamedWindows windows() {
        return windows;
    }

    QueryBuilder queries() {
        return queries;
    }
}
