// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.expr;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.thetis.catalog.type.DataType;

/** A bound, typed, immutable expression. Columns are named by identity, so plans can be moved around freely. */
public sealed interface Expr
        permits NamedExpr,
                Literal,
                ScalarCall,
                AggregateCall,
                WindowCall,
                Cast,
                CaseWhen,
                InList,
                Connective,
                Subquery {
    /** The type of the value. */
    DataType type();

    /** Whether the value may be NULL. */
    boolean nullable();

    /** Inputs in order. */
    List<Expr> children();

    /** The same operation over other inputs (as many as before). */
    Expr withChildren(List<Expr> children);

    /** Text as EXPLAIN and generated column names show it. */
    String sql();

    /** Rebuilds the tree bottom-up, applying the function to every node. */
    default Expr rewrite(UnaryOperator<Expr> function) {
        List<Expr> before = children();
        if (before.isEmpty()) {
            return function.apply(this);
        }
        List<Expr> after = new ArrayList<>(before.size());
        boolean changed = false;
        for (Expr child : before) {
            Expr replaced = child.rewrite(function);
            changed |= replaced != child;
            after.add(replaced);
        }
        return function.apply(changed ? withChildren(after) : this);
    }

    /** Calls the consumer on every node, parents first. */
    default void visit(Consumer<Expr> consumer) {
        consumer.accept(this);
        for (Expr child : children()) {
            child.visit(consumer);
        }
    }

    /** Whether some node satisfies the condition. */
    default boolean anyMatch(Predicate<Expr> condition) {
        if (condition.test(this)) {
            return true;
        }
        for (Expr child : children()) {
            if (child.anyMatch(condition)) {
                return true;
            }
        }
        return false;
    }

    /** Columns that the expression reads, in order of appearance. */
    default Set<SlotReference> slots() {
        Set<SlotReference> found = new LinkedHashSet<>();
        visit(e -> {
            if (e instanceof SlotReference slot) {
                found.add(slot);
            }
        });
        return found;
    }

    /** Whether the value depends on no column. */
    default boolean isConstant() {
        return !anyMatch(e -> e instanceof SlotReference
                || e instanceof AggregateCall
                || e instanceof WindowCall
                || e instanceof Subquery
                || (e instanceof ScalarCall call && call.isVolatile()));
    }
}
