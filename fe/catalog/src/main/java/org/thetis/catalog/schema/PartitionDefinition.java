// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.schema;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A PARTITION clause as written: names, bounds as text, properties of its own. */
public sealed interface PartitionDefinition {
    /** Properties given to this partition; they win over the table's. */
    Map<String, String> properties();

    /** VALUES LESS THAN (...): from the end of the partition before it. Fewer values than columns are filled with the least ones. */
    record LessThan(String name, boolean ifNotExists, List<BoundValue> upper, Map<String, String> properties)
            implements PartitionDefinition {}

    /** VALUES [(low), (high)). */
    record FixedRange(
            String name,
            boolean ifNotExists,
            List<BoundValue> lower,
            List<BoundValue> upper,
            Map<String, String> properties)
            implements PartitionDefinition {}

    /** VALUES IN (...): one list of values per key. */
    record InValues(String name, boolean ifNotExists, List<List<BoundValue>> keys, Map<String, String> properties)
            implements PartitionDefinition {}

    /** FROM (low) TO (high) INTERVAL n [unit]: several ranges; unit is upper case, null for integer columns. */
    record Interval(BoundValue from, BoundValue to, long step, @Nullable String unit, Map<String, String> properties)
            implements PartitionDefinition {}
}
