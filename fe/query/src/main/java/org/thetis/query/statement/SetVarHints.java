// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement;

import java.util.Map;
import java.util.TreeMap;
import org.thetis.sql.ast.Hint;
import org.thetis.sql.ast.Query;
import org.thetis.sql.ast.QueryBody;
import org.thetis.sql.ast.QueryStatement;
import org.thetis.sql.ast.Statement;
import org.thetis.sql.ast.dml.Insert;
import org.thetis.sql.ast.session.Explain;

/** Finds the variables that SET_VAR hints give a statement. */
final class SetVarHints {
    private SetVarHints() {}

    static Map<String, String> of(Statement statement) {
        if (statement instanceof QueryStatement query) {
            return of(query.query());
        }
        if (statement instanceof Insert insert) {
            return of(insert.source());
        }
        return statement instanceof Explain explain ? of(explain.statement()) : Map.of();
    }

    private static Map<String, String> of(Query query) {
        QueryBody body = query.body();
        while (body instanceof QueryBody.Nested || body instanceof QueryBody.SetOperation) {
            body = body instanceof QueryBody.Nested nested
                    ? nested.query().body()
                    : ((QueryBody.SetOperation) body).left();
        }
        if (!(body instanceof QueryBody.Select select) || select.hints().isEmpty()) {
            return Map.of();
        }
        Map<String, String> settings = new TreeMap<>();
        for (Hint hint : select.hints()) {
            if (hint.name().equalsIgnoreCase("SET_VAR")) {
                settings.putAll(hint.settings());
            }
        }
        return settings;
    }
}
