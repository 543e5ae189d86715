// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.thetis.sql.expr.Alias;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.ExprIds;
import org.thetis.sql.functions.FunctionResolver;
import org.thetis.sql.stats.Estimator;

/** What rules may use besides the plan, and the record of which fired. One per statement, used by one thread. */
public final class RuleContext {
    private final ExprIds ids;
    private final FunctionResolver functions;
    private final Estimator estimator;
    private final ExecutionSites sites;
    private final Map<String, String> variables;
    private final Set<String> disabled;
    private final List<String> fired = new ArrayList<>();

    public RuleContext(
            ExprIds ids,
            FunctionResolver functions,
            Estimator estimator,
            ExecutionSites sites,
            Map<String, String> variables) {
        this.ids = ids;
        this.functions = functions;
        this.estimator = estimator;
        this.sites = sites;
        this.variables = variables;
        this.disabled = names(variables.getOrDefault("disable_nereids_rules", ""));
    }

    /** The names of a list with commas, in lower case. Most often there are none, and every rule asks for every node. */
    private static Set<String> names(String list) {
        return list.isBlank()
                ? Set.of()
                : Arrays.stream(list.toLowerCase(Locale.ROOT).split(",", -1))
                        .map(String::strip)
                        .filter(name -> !name.isEmpty())
                        .collect(Collectors.toUnmodifiableSet());
    }

    public FunctionResolver functions() {
        return functions;
    }

    public Estimator estimator() {
        return estimator;
    }

    /** Where the plan's tables are. */
    public ExecutionSites sites() {
        return sites;
    }

    /** The expression as a new output column. */
    public Alias alias(String name, Expr expression) {
        return new Alias(ids.next(), name, expression);
    }

    public ExprIds ids() {
        return ids;
    }

    /** Whether a boolean session variable is on. */
    public boolean isOn(String variable, boolean byDefault) {
        String value = variables.get(variable);
        return value == null
                ? byDefault
                : value.equalsIgnoreCase("true") || value.equals("1") || value.equalsIgnoreCase("on");
    }

    /** Whether the rule may fire. */
    public boolean allows(Rule rule) {
        return disabled.isEmpty() || !disabled.contains(rule.name());
    }

    /** Records that a rule changed the plan. */
    public void record(Rule rule) {
        fired.add(rule.name());
    }

    /** Names of the rules that changed the plan, in order. */
    public List<String> fired() {
        return fired;
    }
}
