// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.session.Variable;
import org.thetis.query.statement.StatementHandler;
import org.thetis.sql.ast.VariableScope;
import org.thetis.sql.ast.show.ShowVariables;

/** SHOW [GLOBAL | SESSION] VARIABLES. */
public final class ShowVariablesHandler implements StatementHandler<ShowVariables> {
    @Override
    public Class<ShowVariables> statementType() {
        return ShowVariables.class;
    }

    @Override
    public StatementResult run(ShowVariables statement, StatementContext context) {
        boolean global = statement.scope() == VariableScope.GLOBAL;
        ShowRows rows = new ShowRows("Variable_name", "Value", "Default_Value", "Changed");
        List<Variable> variables =
                new ArrayList<>(context.variables().globals().catalog().all());
        variables.sort(Comparator.comparing(Variable::shownName));
        for (Variable variable : variables) {
            String value = global
                    ? context.variables().globals().value(variable)
                    : context.variables().value(variable);
            rows.add(
                    variable.shownName(),
                    value,
                    variable.defaultText(),
                    value.equals(variable.defaultText()) ? "0" : "1");
        }
        return rows.result(statement.filter());
    }
}
