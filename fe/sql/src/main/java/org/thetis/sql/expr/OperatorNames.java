// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.expr;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How functions that stand for operators are printed, and which comparisons mirror each other. */
public final class OperatorNames {
    private static final Map<String, String> INFIX = Map.ofEntries(
            Map.entry("add", "+"),
            Map.entry("subtract", "-"),
            Map.entry("multiply", "*"),
            Map.entry("divide", "/"),
            Map.entry("int_divide", "DIV"),
            Map.entry("mod", "%"),
            Map.entry("eq", "="),
            Map.entry("ne", "!="),
            Map.entry("lt", "<"),
            Map.entry("le", "<="),
            Map.entry("gt", ">"),
            Map.entry("ge", ">="),
            Map.entry("eq_for_null", "<=>"),
            Map.entry("like", "LIKE"),
            Map.entry("regexp", "REGEXP"),
            Map.entry("bitand", "&"),
            Map.entry("bitor", "|"),
            Map.entry("bitxor", "^"));
    private static final Map<String, String> MIRRORED = Map.of(
            "eq", "eq", "ne", "ne", "lt", "gt", "le", "ge", "gt", "lt", "ge", "le", "eq_for_null", "eq_for_null");
    private static final Map<String, String> NEGATED =
            Map.of("eq", "ne", "ne", "eq", "lt", "ge", "le", "gt", "gt", "le", "ge", "lt");

    private OperatorNames() {}

    /** The operator's sign, or null when the function is written as a call. */
    public static @Nullable String infix(String function) {
        return INFIX.get(function);
    }

    /** Whether the function compares two values. */
    public static boolean isComparison(String function) {
        return MIRRORED.containsKey(function);
    }

    /** The comparison with its sides exchanged. */
    public static String mirrored(String comparison) {
        String mirror = MIRRORED.get(comparison);
        if (mirror == null) {
            throw new IllegalArgumentException("not a comparison: " + comparison);
        }
        return mirror;
    }

    /** The comparison that is true when this is false, or null. */
    public static @Nullable String negated(String comparison) {
        return NEGATED.get(comparison);
    }
}
