// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.ddl;

import com.google.common.collect.ImmutableMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.SourcePosition;

/** One partition (or one batch of them) of a table. */
public sealed interface PartitionDefinition {
    /** PARTITION p VALUES LESS THAN (v, ...); values is empty for a bare MAXVALUE. */
    record LessThan(
            SourcePosition position,
            String name,
            boolean ifNotExists,
            List<PartitionValue> values,
            Map<String, String> properties)
            implements PartitionDefinition {
        /** Copies the collections. */
        public LessThan {
            values = List.copyOf(values);
            properties = ImmutableMap.copyOf(properties);
        }
    }

    /** PARTITION p VALUES [(low), (high)). */
    record FixedRange(
            SourcePosition position,
            String name,
            boolean ifNotExists,
            List<PartitionValue> low,
            List<PartitionValue> high,
            Map<String, String> properties)
            implements PartitionDefinition {
        /** Copies the collections. */
        public FixedRange {
            low = List.copyOf(low);
            high = List.copyOf(high);
            properties = ImmutableMap.copyOf(properties);
        }
    }

    /** PARTITION p VALUES IN (...): one tuple of values per row. */
    record InValues(
            SourcePosition position,
            String name,
            boolean ifNotExists,
            List<List<PartitionValue>> rows,
            Map<String, String> properties)
            implements PartitionDefinition {
        /** Copies the collections. */
        public InValues {
            rows = List.copyOf(rows);
            properties = ImmutableMap.copyOf(properties);
        }
    }

    /** FROM (low) TO (high) INTERVAL n [unit]; unit is upper-case, null for integers. */
    record Batch(
            SourcePosition position,
            List<PartitionValue> low,
            List<PartitionValue> high,
            long interval,
            @Nullable String unit,
            Map<String, String> properties)
            implements PartitionDefinition {
        /** Copies the collections. */
        public Batch {
            low = List.copyOf(low);
            high = List.copyOf(high);
            properties = ImmutableMap.copyOf(properties);
        }
    }

    /** PARTITION p without values. */
    record Bare(SourcePosition position, String name, boolean ifNotExists, Map<String, String> properties)
            implements PartitionDefinition {
        /** Copies the collections. */
        public Bare {
            properties = ImmutableMap.copyOf(properties);
        }
    }
}
