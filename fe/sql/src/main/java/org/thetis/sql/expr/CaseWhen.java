// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.expr;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.type.DataType;

/** CASE without operand (the binder turns the simple form into equalities). All results have the type. */
public record CaseWhen(List<Expr> conditions, List<Expr> results, @Nullable Expr otherwise, DataType type)
        implements Expr {
    /** Copies the lists. */
    public CaseWhen {
        conditions = List.copyOf(conditions);
        results = List.copyOf(results);
    }

    @Override
    public boolean nullable() {
        return otherwise == null || otherwise.nullable() || results.stream().anyMatch(Expr::nullable);
    }

    @Override
    public List<Expr> children() {
        List<Expr> all = new ArrayList<>();
        for (int i = 0; i < conditions.size(); i++) {
            all.add(conditions.get(i));
            all.add(results.get(i));
        }
        if (otherwise != null) {
            all.add(otherwise);
        }
        return all;
    }

    @Override
    public Expr withChildren(List<Expr> children) {
        List<Expr> newConditions = new ArrayList<>();
        List<Expr> newResults = new ArrayList<>();
        for (int i = 0; i < conditions.size(); i++) {
            newConditions.add(children.get(2 * i));
            newResults.add(children.get(2 * i + 1));
        }
        return new CaseWhen(
                newConditions, newResults, otherwise == null ? null : children.get(children.size() - 1), type);
    }

    @Override
    public String sql() {
        StringBuilder text = new StringBuilder("CASE");
        for (int i = 0; i < conditions.size(); i++) {
            text.append(" WHEN ")
                    .append(conditions.get(i).sql())
                    .append(" THEN ")
                    .append(results.get(i).sql());
        }
        if (otherwise != null) {
            text.append(" ELSE ").append(otherwise.sql());
        }
        return text.append(" END").toString();
    }
}
