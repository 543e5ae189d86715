// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.lower;

import java.util.List;
import java.util.Map;
import org.thetis.sql.binder.SessionFacts;
import org.thetis.sql.binder.TableResolver;
import org.thetis.sql.expr.Literal;

/**
 * Everything one statement is planned with.
 *
 * @param parameters values of the placeholders, by ordinal; empty when the statement has none
 * @param variables session variables that steer planning, by lower-case name; absent ones have their defaults
 */
public record PlannerContext(
        TableResolver tables,
        SessionFacts session,
        ClusterView cluster,
        List<Literal> parameters,
        Map<String, String> variables) {
    /** Copies the collections. */
    public PlannerContext {
        parameters = List.copyOf(parameters);
        variables = Map.copyOf(variables);
    }
}
