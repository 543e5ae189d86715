// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules.rewrite;

import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.schema.PartitionItem;
import org.thetis.catalog.schema.PartitionKey;
import org.thetis.catalog.schema.PartitionValue;
import org.thetis.sql.expr.Connective;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.InList;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.OperatorNames;
import org.thetis.sql.expr.ScalarCall;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.functions.Calls;
import org.thetis.sql.plan.LogicalScan;

/** Tells whether a partition may hold rows for which conditions are true. Never says no wrongly. */
final class PartitionMatcher {
    private final List<String> columns;
    private final List<Expr> conditions;

    PartitionMatcher(LogicalScan scan, List<Expr> conditions) {
        this.columns = scan.table().table().partitionSpec().columns();
        this.conditions = conditions;
    }

    /** Values a column may have in a partition, from low to high, both included unless said. */
    private record Domain(PartitionValue low, PartitionValue high, boolean highExcluded) {
        boolean mayBe(PartitionValue value) {
            int above = value.compareTo(high);
            return value.compareTo(low) >= 0 && (highExcluded ? above < 0 : above <= 0);
        }
    }

    boolean mayMatch(Partition partition) {
        if (partition.item() instanceof PartitionItem.Range range) {
            // Beyond the first column a range says nothing of a single column.
            Domain first = new Domain(
                    range.lower().values().get(0), range.upper().values().get(0), columns.size() == 1);
            return mayHold(Map.of(columns.get(0).toLowerCase(Locale.ROOT), first));
        }
        if (partition.item() instanceof PartitionItem.InList list) {
            return list.keys().stream().anyMatch(key -> mayHold(point(key)));
        }
        return true;
    }

    private Map<String, Domain> point(PartitionKey key) {
        Map<String, Domain> domains = new HashMap<>();
        for (int i = 0; i < columns.size(); i++) {
            PartitionValue value = key.values().get(i);
            domains.put(columns.get(i).toLowerCase(Locale.ROOT), new Domain(value, value, false));
        }
        return domains;
    }

    private boolean mayHold(Map<String, Domain> domains) {
        return conditions.stream().allMatch(condition -> mayHold(condition, domains));
    }

    private static boolean mayHold(Expr condition, Map<String, Domain> domains) {
        if (condition instanceof Connective connective) {
            return connective.and()
                    ? connective.children().stream().allMatch(child -> mayHold(child, domains))
                    : connective.children().stream().anyMatch(child -> mayHold(child, domains));
        }
        if (condition instanceof InList in && !in.negated()) {
            Domain domain = domain(in.value(), domains);
            return domain == null || in.options().stream().anyMatch(option -> mayEqual(domain, option));
        }
        if (Calls.is(condition, "is_null")) {
            Domain domain = domain(condition.children().get(0), domains);
            return domain == null
                    || domain.mayBe(PartitionValue.NULL)
                    || domain.low().kind() == PartitionValue.Kind.MIN;
        }
        if (Calls.isComparison(condition) && condition instanceof ScalarCall call) {
            Domain left = domain(call.child(0), domains);
            if (left != null && call.child(1) instanceof Literal literal) {
                return mayCompare(left, call.name(), literal);
            }
            Domain right = domain(call.child(1), domains);
            if (right != null && call.child(0) instanceof Literal literal) {
                return mayCompare(right, OperatorNames.mirrored(call.name()), literal);
            }
        }
        return true;
    }

    private static @Nullable Domain domain(Expr expression, Map<String, Domain> domains) {
        return expression instanceof SlotReference slot && slot.origin() != null
                ? domains.get(slot.origin().column().toLowerCase(Locale.ROOT))
                : null;
    }

    private static boolean mayEqual(Domain domain, Expr option) {
        PartitionValue value = option instanceof Literal literal ? value(literal) : null;
        return value == null || domain.mayBe(value);
    }

    private static boolean mayCompare(Domain domain, String comparison, Literal literal) {
        PartitionValue value = value(literal);
        if (value == null) {
            return true;
        }
        if (value.kind() == PartitionValue.Kind.NULL) {
            return comparison.equals("eq_for_null")
                    && (domain.mayBe(value) || domain.low().kind() == PartitionValue.Kind.MIN);
        }
        int high = domain.high().compareTo(value);
        int low = domain.low().compareTo(value);
        return switch (comparison) {
            case "eq", "eq_for_null" -> domain.mayBe(value);
            case "lt" -> low < 0;
            case "le" -> low <= 0;
            case "gt" -> high > 0;
            case "ge" -> domain.highExcluded() ? high > 0 : high >= 0;
            default -> low != 0 || high != 0 || domain.highExcluded();
        };
    }

    private static @Nullable PartitionValue value(Literal literal) {
        Object value = literal.value();
        if (value == null) {
            return PartitionValue.NULL;
        }
        if (value instanceof String text) {
            return PartitionValue.of(text);
        }
        if (value instanceof BigInteger number) {
            return PartitionValue.of(number);
        }
        if (value instanceof Boolean truth) {
            return PartitionValue.of(truth ? BigInteger.ONE : BigInteger.ZERO);
        }
        return value instanceof Long number ? PartitionValue.of(BigInteger.valueOf(number)) : null;
    }
}
