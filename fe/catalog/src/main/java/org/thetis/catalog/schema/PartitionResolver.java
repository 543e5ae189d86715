// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.schema;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.type.DataType;

/**
 * Turns PARTITION clauses into partitions: types the bounds, gives LESS THAN its lower bound, expands intervals, and refuses what
 * overlaps, repeats a value or a name, or is of the wrong kind.
 */
public final class PartitionResolver {
    private final PartitionKind kind;
    private final List<SchemaColumn> columns;
    private final List<DataType> types;
    private final IntervalExpansion expansion;
    private final List<Resolved> taken = new ArrayList<>();
    private final Set<String> names = new HashSet<>();
    private final Set<PartitionKey> listKeys = new TreeSet<>();

    /** A partition to be made. */
    public record Resolved(String name, PartitionItem item, Map<String, String> properties) {}

    /**
     * Checks the partition columns too.
     *
     * @param columns the partition columns
     * @param expansion how FROM ... TO ... INTERVAL becomes ranges
     */
    public PartitionResolver(PartitionKind kind, List<SchemaColumn> columns, IntervalExpansion expansion) {
        this.kind = kind;
        this.columns = List.copyOf(columns);
        this.types = columns.stream().map(SchemaColumn::type).toList();
        this.expansion = expansion;
        for (SchemaColumn column : columns) {
            checkColumn(kind, column);
        }
    }

    private static void checkColumn(PartitionKind kind, SchemaColumn column) {
        boolean fits = column.type().isInteger()
                || column.type().isDateLike()
                || (kind == PartitionKind.LIST
                        && switch (column.type().id()) {
                            case CHAR, VARCHAR, BOOLEAN -> true;
                            default -> false;
                        });
        if (!fits) {
            throw refused("Column[" + column.name() + "] type[" + column.type() + "] cannot be a "
                    + kind.name().toLowerCase(Locale.ROOT) + " partition key.");
        }
        if (column.aggregate() != AggregateKind.NONE) {
            throw refused("The partition column could not be aggregated column: " + column.name());
        }
    }

    /** Takes partitions that are there already. */
    public PartitionResolver withExisting(Iterable<Partition> partitions) {
        for (Partition partition : partitions) {
            take(new Resolved(partition.name(), partition.item(), partition.properties()));
        }
        return this;
    }

    /** The partitions to be made, in order; those that exist and say IF NOT EXISTS are left out. */
    public List<Resolved> resolve(List<PartitionDefinition> definitions) {
        List<Resolved> made = new ArrayList<>();
        for (PartitionDefinition definition : definitions) {
            for (Resolved resolved : resolve(definition)) {
                take(resolved);
                made.add(resolved);
            }
        }
        return made;
    }

    private List<Resolved> resolve(PartitionDefinition definition) {
        boolean isList = definition instanceof PartitionDefinition.InValues;
        if (kind == PartitionKind.UNPARTITIONED || isList != (kind == PartitionKind.LIST)) {
            throw refused("The partition clause does not fit a table that is "
                    + (kind == PartitionKind.UNPARTITIONED ? "not partitioned" : "partitioned by " + kind));
        }
        if (definition instanceof PartitionDefinition.LessThan lessThan) {
            return skip(lessThan.name(), lessThan.ifNotExists()) ? List.of() : List.of(lessThan(lessThan));
        }
        if (definition instanceof PartitionDefinition.FixedRange fixed) {
            PartitionItem.Range range = new PartitionItem.Range(key(fixed.lower()), key(fixed.upper()));
            return skip(fixed.name(), fixed.ifNotExists())
                    ? List.of()
                    : List.of(new Resolved(fixed.name(), range, fixed.properties()));
        }
        if (definition instanceof PartitionDefinition.InValues in) {
            return skip(in.name(), in.ifNotExists()) ? List.of() : List.of(inValues(in));
        }
        return expand((PartitionDefinition.Interval) definition);
    }

    private boolean skip(String name, boolean ifNotExists) {
        return ifNotExists && names.contains(name.toLowerCase(Locale.ROOT));
    }

    private Resolved lessThan(PartitionDefinition.LessThan definition) {
        PartitionKey upper = definition.upper().isEmpty() ? maximum() : key(definition.upper());
        PartitionKey lower = minimum();
        for (Resolved other : taken) {
            PartitionItem.Range range = (PartitionItem.Range) other.item;
            if (range.lower().compareTo(upper) < 0 && range.upper().compareTo(lower) > 0) {
                lower = range.upper();
            }
        }
        if (lower.compareTo(upper) >= 0) {
            throw refused("Range of partition " + definition.name() + " up to (" + upper.toSql(types)
                    + ") is intersected with a partition before it");
        }
        return new Resolved(definition.name(), new PartitionItem.Range(lower, upper), definition.properties());
    }

    private Resolved inValues(PartitionDefinition.InValues definition) {
        List<PartitionKey> keys = new ArrayList<>();
        for (List<BoundValue> values : definition.keys()) {
            if (values.size() != types.size()) {
                throw refused("partition " + definition.name() + ": a key has " + values.size() + " values for "
                        + types.size() + " columns");
            }
            PartitionKey key = key(values);
            for (int i = 0; i < types.size(); i++) {
                if (key.values().get(i).kind() == PartitionValue.Kind.NULL
                        && !columns.get(i).nullable()) {
                    throw refused("partition " + definition.name() + ": column "
                            + columns.get(i).name() + " is NOT NULL");
                }
            }
            keys.add(key);
        }
        return new Resolved(definition.name(), new PartitionItem.InList(keys), definition.properties());
    }

    private List<Resolved> expand(PartitionDefinition.Interval interval) {
        if (types.size() != 1) {
            throw refused("FROM ... TO ... INTERVAL needs exactly one partition column");
        }
        return expansion.expand(types.get(0), interval);
    }

    private void take(Resolved resolved) {
        if (!names.add(resolved.name.toLowerCase(Locale.ROOT))) {
            throw new ThetisException(ErrorCode.DUPLICATE_PARTITION, "Duplicate partition name " + resolved.name);
        }
        if (resolved.item instanceof PartitionItem.Range range) {
            if (range.lower().compareTo(range.upper()) >= 0) {
                throw refused("partition " + resolved.name + " is empty: its lower bound is not below its upper bound: "
                        + range.toSql(types));
            }
            for (Resolved other : taken) {
                if (other.item instanceof PartitionItem.Range before && before.overlaps(range)) {
                    throw refused("Range " + range.toSql(types) + " of partition " + resolved.name
                            + " is intersected with range " + before.toSql(types) + " of partition " + other.name);
                }
            }
        }
        if (resolved.item instanceof PartitionItem.InList list) {
            for (PartitionKey key : list.keys()) {
                if (!listKeys.add(key)) {
                    throw refused("The partition key (" + key.toSql(types) + ") of partition " + resolved.name
                            + " is in a partition already");
                }
            }
        }
        taken.add(resolved);
    }

    private PartitionKey key(List<BoundValue> bounds) {
        if (bounds.size() > types.size()) {
            throw refused(
                    "a partition bound has " + bounds.size() + " values for " + types.size() + " partition columns");
        }
        List<PartitionValue> values = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            @Nullable BoundValue bound = i < bounds.size() ? bounds.get(i) : null;
            values.add(bound == null ? PartitionValue.MIN : value(types.get(i), bound));
        }
        return new PartitionKey(values);
    }

    private PartitionValue value(DataType type, BoundValue bound) {
        return switch (bound.kind()) {
            case MAXVALUE -> {
                if (kind == PartitionKind.LIST) {
                    throw refused("MAXVALUE cannot be in a list partition");
                }
                yield PartitionValue.MAX;
            }
            case NULL -> {
                if (kind == PartitionKind.RANGE) {
                    throw refused("NULL cannot be the bound of a range partition");
                }
                yield PartitionValue.NULL;
            }
            case TEXT -> PartitionValue.parse(type, bound.text());
        };
    }

    private PartitionKey minimum() {
        return new PartitionKey(types.stream().map(type -> PartitionValue.MIN).toList());
    }

    private PartitionKey maximum() {
        return new PartitionKey(types.stream().map(type -> PartitionValue.MAX).toList());
    }

    private static ThetisException refused(String message) {
        return new ThetisException(ErrorCode.INVALID_ARGUMENT, message);
    }
}
