// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.schema;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.ArrayList;
import java.util.List;
import org.thetis.catalog.type.DataType;

/** A point in the space of the partition columns, compared column by column. */
public record PartitionKey(List<PartitionValue> values) implements Comparable<PartitionKey> {
    public PartitionKey {
        values = List.copyOf(values);
    }

    public static PartitionKey of(PartitionValue... values) {
        return new PartitionKey(List.of(values));
    }

    @Override
    public int compareTo(PartitionKey other) {
        for (int i = 0; i < values.size(); i++) {
            int order = values.get(i).compareTo(other.values.get(i));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    /** Whether no key is above this one. */
    @JsonIgnore
    public boolean isMax() {
        return values.stream().allMatch(value -> value.kind() == PartitionValue.Kind.MAX);
    }

    /** Whether no key is below this one. */
    @JsonIgnore
    public boolean isMin() {
        return values.stream().allMatch(value -> value.kind() == PartitionValue.Kind.MIN);
    }

    /** `"a", "b"`, as inside the brackets of SHOW CREATE TABLE. */
    public String toSql(List<DataType> types) {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            parts.add(values.get(i).toSql(types.get(i)));
        }
        return String.join(", ", parts);
    }
}
