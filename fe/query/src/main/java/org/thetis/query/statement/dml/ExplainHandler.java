// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.dml;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ThetisException;
import org.thetis.query.result.ResultColumn;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementNames;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.QueryStatement;
import org.thetis.sql.ast.Statement;
import org.thetis.sql.ast.dml.Delete;
import org.thetis.sql.ast.dml.Insert;
import org.thetis.sql.ast.dml.Replace;
import org.thetis.sql.ast.dml.Update;
import org.thetis.sql.ast.session.Explain;
import org.thetis.sql.lower.ExplainMode;

/** EXPLAIN of a query, INSERT, UPDATE or DELETE in its forms. */
public final class ExplainHandler implements StatementHandler<Explain> {
    private final StatementServices services;

    public ExplainHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<Explain> statementType() {
        return Explain.class;
    }

    @Override
    public StatementResult run(Explain statement, StatementContext context) {
        boolean planned = statement.statement() instanceof QueryStatement
                || statement.statement() instanceof Insert
                || statement.statement() instanceof Replace
                || statement.statement() instanceof Update
                || statement.statement() instanceof Delete;
        if (!planned) {
            throw ThetisException.notSupported("EXPLAIN of " + StatementNames.of(statement.statement()));
        }
        List<String> lines =
                services.queries().plan(statement.statement(), context).explain(mode(statement));
        boolean mayNameKeys = statement.statement() instanceof QueryStatement
                || statement.statement() instanceof Update
                || statement.statement() instanceof Delete;
        if (mayNameKeys) {
            lines = withPointPlan(lines, statement.statement(), context);
        }
        return new StatementResult.Held(
                List.of(ResultColumn.text("Explain String(Nereids Planner)")),
                lines.stream().map(ExplainHandler::row).toList());
    }

    /** The scan's lines end with whether look-ups by key replace it. */
    private List<String> withPointPlan(List<String> lines, Statement query, StatementContext context) {
        List<String> result = new ArrayList<>(lines);
        for (int i = 0; i < lines.size(); i++) {
            int last = lines.get(i).indexOf("pushAggOp=");
            if (last >= 0) {
                String said = services.pointPlans().explain(query, context);
                if (said != null) {
                    result.add(i + 1, lines.get(i).substring(0, last) + said);
                }
                break;
            }
        }
        return result;
    }

    private static List<@Nullable String> row(String line) {
        return List.of(line);
    }

    private static ExplainMode mode(Explain statement) {
        String stage = statement.stage();
        if (stage == null) {
            return "VERBOSE".equals(statement.format()) ? ExplainMode.VERBOSE : ExplainMode.FRAGMENTS;
        }
        return switch (stage) {
            case "PARSED", "ANALYZED" -> ExplainMode.ANALYZED;
            case "REWRITTEN", "LOGICAL" -> ExplainMode.REWRITTEN;
            case "SHAPE" -> ExplainMode.SHAPE;
            case "ALL" -> ExplainMode.ALL;
            case "OPTIMIZED", "PHYSICAL" -> ExplainMode.OPTIMIZED;
            case "DISTRIBUTED" -> ExplainMode.FRAGMENTS;
            default -> throw ThetisException.notSupported("EXPLAIN " + stage + " PLAN");
        };
    }
}
