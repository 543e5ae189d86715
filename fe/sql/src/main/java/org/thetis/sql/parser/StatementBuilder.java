// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.parser;

import java.util.List;
import org.antlr.v4.runtime.tree.ParseTree;
import org.thetis.sql.ast.NamedQuery;
import org.thetis.sql.ast.Statement;
import org.thetis.sql.grammar.ThetisParser;

/** Hands each statement to the builder of its area. */
final class StatementBuilder {
    private final TreeBuilders builders;

    StatementBuilder(TreeBuilders builders) {
        this.builders = builders;
    }

    Statement build(ThetisParser.StatementContext context) {
        return buildArea(context.getChild(0));
    }

    /** Builds what stands behind EXPLAIN. */
    Statement build(ThetisParser.ExplainableContext context) {
        return buildArea(context.getChild(0));
    }

    private Statement buildArea(ParseTree area) {
        if (area instanceof ThetisParser.QueryOrWriteContext queryOrWrite) {
            return queryOrWrite(queryOrWrite);
        }
        StatementVisitor visitor;
        if (area instanceof ThetisParser.DdlStatementContext) {
            visitor = new DdlBuilder(builders);
        } else if (area instanceof ThetisParser.DmlStatementContext) {
            visitor = new DmlBuilder(builders);
        } else if (area instanceof ThetisParser.ShowStatementContext) {
            visitor = new ShowBuilder(builders);
        } else if (area instanceof ThetisParser.SessionStatementContext) {
            visitor = new SessionBuilder(builders);
        } else if (area instanceof ThetisParser.AdminStatementContext) {
            visitor = new AdminBuilder(builders);
        } else {
            visitor = new PrivilegeBuilder(builders);
        }
        return visitor.visit(area);
    }

    private Statement queryOrWrite(ThetisParser.QueryOrWriteContext context) {
        if (context.bareQuery() != null) {
            return builders.queries().statement(context);
        }
        DmlBuilder writes = new DmlBuilder(builders);
        List<NamedQuery> with = builders.queries().namedQueries(context.withClause());
        if (context.insertStatement() != null) {
            return writes.insert(with, context.insertStatement());
        }
        return context.updateStatement() != null
                ? writes.update(with, context.updateStatement())
                : writes.delete(with, context.deleteStatement());
    }
}
