// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.point;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.Distribution;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.schema.PartitionKey;
import org.thetis.catalog.schema.PartitionValue;
import org.thetis.catalog.schema.Tablet;
import org.thetis.sql.expr.Literal;

/** From constants to keys and their tablets. Immutable but for what it remembers of partitions; thread-safe. */
final class KeyRouter {
    /** Most keys of one call; a full plan reads more of them better. */
    static final int MAX_KEYS = 1024;

    private static final byte[] NO_PARAMETERS = new byte[0];
    private static final int TEXT_HINT = 32;

    private final KeyTerm[] terms;
    private final boolean anyList;
    private final int[] partitionColumns;
    private final List<String> hashColumns;
    private final int[] hashed;
    private final PartitionRouter partitions;
    private final int sizeHint;
    private final PointShape.Free[] free;

    /**
     * @param terms one for each key column of the table, in order
     * @param free parameters that back ends compare, in order
     */
    KeyRouter(OlapTable table, List<KeyTerm> terms, List<PointShape.Free> free) {
        List<String> names = table.baseIndex().keyColumns().stream()
                .map(column -> column.name().toLowerCase(Locale.ROOT))
                .toList();
        this.terms = terms.toArray(KeyTerm[]::new);
        this.free = free.toArray(PointShape.Free[]::new);
        this.anyList = terms.stream().anyMatch(term -> term.sources().size() != 1);
        this.partitionColumns = positions(names, table.partitionSpec().columns());
        this.hashColumns = table.distribution().columns();
        this.hashed = positions(names, hashColumns);
        this.partitions = new PartitionRouter(table);
        this.sizeHint =
                terms.stream().mapToInt(term -> term.column().sizeHint()).sum();
    }

    private static int[] positions(List<String> keys, List<String> columns) {
        return columns.stream()
                .mapToInt(column -> keys.indexOf(column.toLowerCase(Locale.ROOT)))
                .toArray();
    }

    /** Whether rows of one key are in one tablet that can be told from it. */
    static boolean canRoute(OlapTable table) {
        List<String> names = table.baseIndex().keyColumns().stream()
                .map(column -> column.name().toLowerCase(Locale.ROOT))
                .toList();
        for (int position : positions(names, table.partitionSpec().columns())) {
            if (position < 0) {
                return false;
            }
        }
        for (int position : positions(names, table.distribution().columns())) {
            if (position < 0) {
                return false;
            }
        }
        return table.distribution().kind() == Distribution.Kind.HASH;
    }

    /** As {@link PointPlan#bind}. */
    @Nullable
    PointCall bind(OlapTable table, List<Literal> parameters) {
        byte[] own = NO_PARAMETERS;
        if (free.length > 0) {
            KeyBytes bytes = new KeyBytes(free.length * TEXT_HINT);
            for (PointShape.Free one : free) {
                Literal value = one.source().value(parameters);
                Literal converted = value == null ? null : one.column().convert(value);
                if (value == null || converted == null) {
                    return null;
                }
                if (KeyColumn.isNothing(converted)) {
                    // A comparison with NULL holds for no row; one with a value out of range may.
                    return value.isNull() ? PointCall.EMPTY : null;
                }
                bytes.fixed(0, 1);
                one.column().write(converted, bytes);
            }
            own = bytes.toArray();
        }
        return anyList ? bindLists(table, parameters, own) : bindOne(table, parameters, own);
    }

    private @Nullable PointCall bindOne(OlapTable table, List<Literal> parameters, byte[] own) {
        Literal[] key = new Literal[terms.length];
        boolean nothing = false;
        for (int i = 0; i < key.length; i++) {
            Literal value = terms[i].single(parameters);
            if (value == null) {
                return null;
            }
            nothing |= KeyColumn.isNothing(value);
            key[i] = value;
        }
        if (nothing) {
            return PointCall.EMPTY;
        }
        Partition partition = partitions.find(table, partitionKey(key));
        if (partition == null) {
            return PointCall.EMPTY;
        }
        KeyBytes bytes = new KeyBytes(sizeHint);
        Tablet tablet = locate(partition, key, bytes);
        return tablet == null
                ? null
                : new PointCall(
                        List.of(new PointCall.TabletCall(tablet, partition.visibleVersion(), List.of(bytes.toArray()))),
                        own);
    }

    /** Every combination of the values of the columns, each at its tablet, none twice. */
    private @Nullable PointCall bindLists(OlapTable table, List<Literal> parameters, byte[] own) {
        List<List<Literal>> values = new ArrayList<>(terms.length);
        long combinations = 1;
        for (KeyTerm term : terms) {
            List<Literal> some = term.values(parameters);
            if (some == null) {
                return null;
            }
            values.add(some);
            combinations = Math.min(combinations * some.size(), MAX_KEYS + 1L);
        }
        if (combinations > MAX_KEYS) {
            return null;
        }
        Map<Long, PointCall.TabletCall> calls = new LinkedHashMap<>();
        Set<ByteBuffer> seen = new HashSet<>();
        Literal[] key = new Literal[terms.length];
        for (int combination = 0; combination < combinations; combination++) {
            int rest = combination;
            for (int i = key.length - 1; i >= 0; i--) {
                List<Literal> some = values.get(i);
                key[i] = some.get(rest % some.size());
                rest /= some.size();
            }
            Partition partition = partitions.find(table, partitionKey(key));
            if (partition == null) {
                continue;
            }
            KeyBytes bytes = new KeyBytes(sizeHint);
            Tablet tablet = locate(partition, key, bytes);
            if (tablet == null) {
                return null;
            }
            byte[] encoded = bytes.toArray();
            if (seen.add(ByteBuffer.wrap(encoded))) {
                calls.computeIfAbsent(
                                tablet.id(),
                                id -> new PointCall.TabletCall(tablet, partition.visibleVersion(), new ArrayList<>()))
                        .keys()
                        .add(encoded);
            }
        }
        return calls.isEmpty() ? PointCall.EMPTY : new PointCall(List.copyOf(calls.values()), own);
    }

    /** Writes the key and gives its tablet; null when this partition is spread by other columns than the key's. */
    private @Nullable Tablet locate(Partition partition, Literal[] key, KeyBytes bytes) {
        int[] begins = new int[key.length];
        int[] ends = new int[key.length];
        for (int i = 0; i < key.length; i++) {
            begins[i] = terms[i].column().write(key[i], bytes);
            ends[i] = bytes.size();
        }
        Distribution distribution = partition.distribution();
        if (distribution.columns() != hashColumns && !distribution.columns().equals(hashColumns)) {
            return null;
        }
        List<Tablet> tablets = partition.tablets();
        if (tablets.size() == 1) {
            return tablets.get(0);
        }
        CRC32C hash = new CRC32C();
        for (int column : hashed) {
            hash.update(bytes.array(), begins[column], ends[column] - begins[column]);
        }
        return tablets.get((int) (hash.getValue() % tablets.size()));
    }

    private @Nullable PartitionKey partitionKey(Literal[] key) {
        if (partitionColumns.length == 0) {
            return null;
        }
        List<PartitionValue> values = new ArrayList<>(partitionColumns.length);
        for (int position : partitionColumns) {
            values.add(partitionValue(key[position]));
        }
        return new PartitionKey(values);
    }

    private static PartitionValue partitionValue(Literal literal) {
        Object value = literal.value();
        if (value instanceof Long number) {
            return PartitionValue.of(BigInteger.valueOf(number));
        }
        if (value instanceof BigInteger number) {
            return PartitionValue.of(number);
        }
        if (value instanceof Boolean truth) {
            return PartitionValue.of(truth ? BigInteger.ONE : BigInteger.ZERO);
        }
        return PartitionValue.of(String.valueOf(value));
    }
}
