// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.expr;

import java.util.ArrayList;
import java.util.List;

/** Taking conditions apart at their ANDs and ORs and putting them together again. */
public final class Conjuncts {
    private Conjuncts() {}

    /** The parts of a condition that must all hold, nested ANDs flattened. */
    public static List<Expr> split(Expr condition) {
        return split(condition, true);
    }

    /** The alternatives of a condition, nested ORs flattened. */
    public static List<Expr> splitOr(Expr condition) {
        return split(condition, false);
    }

    private static List<Expr> split(Expr condition, boolean and) {
        List<Expr> parts = new ArrayList<>();
        collect(condition, and, parts);
        return parts;
    }

    private static void collect(Expr condition, boolean and, List<Expr> parts) {
        if (condition instanceof Connective connective && connective.and() == and) {
            connective.children().forEach(child -> collect(child, and, parts));
        } else {
            parts.add(condition);
        }
    }

    /** One condition that holds when all parts do; TRUE for none. */
    public static Expr and(List<Expr> parts) {
        return join(parts, true);
    }

    /** One condition that holds when some part does; FALSE for none. */
    public static Expr or(List<Expr> parts) {
        return join(parts, false);
    }

    private static Expr join(List<Expr> parts, boolean and) {
        if (parts.isEmpty()) {
            return Literal.of(and);
        }
        return parts.size() == 1 ? parts.get(0) : new Connective(and, parts);
    }
}
