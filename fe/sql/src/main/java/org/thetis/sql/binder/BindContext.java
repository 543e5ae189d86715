// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.binder;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.thetis.sql.expr.ExprIds;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.functions.FunctionResolver;

/** State of binding one statement: what names and functions mean, identities given out, and tables met. Used by one thread. */
public final class BindContext {
    /** A table or view that the statement names. */
    public record Met(String catalog, String database, String table) {}

    private static final int MAX_NESTING = 64;

    private final TableResolver tables;
    private final SessionFacts session;
    private final FunctionResolver functions;
    private final List<Literal> parameters;
    private final ExprIds ids;
    private final Set<Met> met = new LinkedHashSet<>();
    private final Set<Integer> parameterValues = new HashSet<>();
    private Map<Integer, SlotReference> parameterSlots = Map.of();
    private int depth;
    private int sleepSeconds;

    public BindContext(
            TableResolver tables,
            SessionFacts session,
            FunctionResolver functions,
            List<Literal> parameters,
            ExprIds ids) {
        this.tables = tables;
        this.session = session;
        this.functions = functions;
        this.parameters = List.copyOf(parameters);
        this.ids = ids;
    }

    public TableResolver tables() {
        return tables;
    }

    public SessionFacts session() {
        return session;
    }

    /** Whether a boolean session variable is on. */
    boolean isOn(String variable, boolean byDefault) {
        return session.systemVariable(false, variable)
                .map(value -> !value.isNeverTrue())
                .orElse(byDefault);
    }

    public FunctionResolver functions() {
        return functions;
    }

    public List<Literal> parameters() {
        return parameters;
    }

    /** Lets these parameters, by ordinal, be bound as columns whose values come with each execution. */
    public void bindAsSlots(Map<Integer, SlotReference> slots) {
        parameterSlots = Map.copyOf(slots);
    }

    /** The column that a parameter is bound as, or null when it stands for its value. */
    @Nullable
    SlotReference parameterSlot(int ordinal) {
        return parameterSlots.get(ordinal);
    }

    /** The value of a parameter, which the bound statement is made with; the ordinal is a known one. */
    Literal parameterValue(int ordinal) {
        parameterValues.add(ordinal);
        return parameters.get(ordinal);
    }

    /** Ordinals of the parameters whose values expressions were bound with. */
    public Set<Integer> parameterValues() {
        return Set.copyOf(parameterValues);
    }

    public ExprIds ids() {
        return ids;
    }

    /** Tables and views named so far, in order. */
    public Set<Met> met() {
        return met;
    }

    /** The statement shall pause so many seconds more before it runs. */
    void sleep(int seconds) {
        sleepSeconds = Math.addExact(sleepSeconds, seconds);
    }

    /** How long the statement pauses before it runs. */
    public int sleepSeconds() {
        return sleepSeconds;
    }

    /** Adds what the binding of a part in a context of its own met. */
    void takeOver(Collection<Met> others, int seconds) {
        met.addAll(others);
        sleep(seconds);
    }

    /** Counts one more query inside a query (or view in a view); fails when they nest too deep. */
    void enter() {
        if (++depth > MAX_NESTING) {
            throw Errors.analysis("queries nest more than " + MAX_NESTING + " deep", null);
        }
    }

    /** Ends what enter() began. */
    void leave() {
        depth--;
    }
}
