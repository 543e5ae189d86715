// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.thetis.sql.ast.Hint;
import org.thetis.sql.ast.Query;
import org.thetis.sql.ast.QueryBody;
import org.thetis.sql.ast.QueryStatement;
import org.thetis.sql.ast.Statement;
import org.thetis.sql.ast.dml.Insert;
import org.thetis.sql.ast.session.Explain;

/** What the hints of a statement mean: variables for it, and names that have no effect. */
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
            } else if (hint.name().equalsIgnoreCase("ORDERED")) {
                settings.put("disable_join_reorder", "true");
            }
        }
        return settings;
    }

    /** Hints of the statement that change nothing, such as LEADING and unknown ones, as written. */
    static List<String> unused(Statement statement) {
        Query query = statement instanceof QueryStatement plain
                ? plain.query()
                : statement instanceof Insert insert ? insert.source() : null;
        List<String> names = new ArrayList<>();
        if (query != null) {
            collectUnused(query.body(), true, names);
        }
        return names;
    }

    private static void collectUnused(QueryBody body, boolean first, List<String> names) {
        if (body instanceof QueryBody.Nested nested) {
            collectUnused(nested.query().body(), first, names);
        } else if (body instanceof QueryBody.SetOperation operation) {
            collectUnused(operation.left(), first, names);
            collectUnused(operation.right(), false, names);
        } else if (body instanceof QueryBody.Select select) {
            for (Hint hint : select.hints()) {
                boolean known =
                        hint.name().equalsIgnoreCase("SET_VAR") || hint.name().equalsIgnoreCase("ORDERED");
                if (!known || !first) {
                    names.add(hint.arguments().isEmpty() ? hint.name() : hint.name() + "(" + hint.arguments() + ")");
                }
            }
        }
    }
}
