// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.schema;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import org.thetis.catalog.type.DataType;

/** Which rows a partition takes. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = PartitionItem.All.class, name = "ALL"),
    @JsonSubTypes.Type(value = PartitionItem.Range.class, name = "RANGE"),
    @JsonSubTypes.Type(value = PartitionItem.InList.class, name = "LIST")
})
public sealed interface PartitionItem {
    /** Every row: the one partition of an unpartitioned table. */
    record All() implements PartitionItem {}

    /** Keys from `lower` (inclusive) to `upper` (exclusive; all MAXVALUE means no bound). */
    record Range(PartitionKey lower, PartitionKey upper) implements PartitionItem {
        /** Whether some key lies in both. */
        public boolean overlaps(Range other) {
            return lower.compareTo(other.upper) < 0 && other.lower.compareTo(upper) < 0;
        }
    }

    /** Exactly the given keys. */
    record InList(List<PartitionKey> keys) implements PartitionItem {
        public InList {
            keys = List.copyOf(keys);
        }
    }

    /** Whether some row would go to both. */
    static boolean overlap(PartitionItem left, PartitionItem right) {
        if (left instanceof Range one && right instanceof Range other) {
            return one.overlaps(other);
        }
        return left instanceof InList one
                && right instanceof InList other
                && one.keys().stream().anyMatch(other.keys()::contains);
    }

    /** As in SHOW CREATE TABLE after VALUES; empty for ALL. */
    default String toSql(List<DataType> types) {
        if (this instanceof Range range) {
            return "[(" + range.lower().toSql(types) + "), (" + range.upper().toSql(types) + "))";
        }
        if (this instanceof InList list) {
            boolean single = types.size() == 1;
            return "IN ("
                    + String.join(
                            ",",
                            list.keys().stream()
                                    .map(key -> single ? key.toSql(types) : "(" + key.toSql(types) + ")")
                                    .toList())
                    + ")";
        }
        return "";
    }
}
