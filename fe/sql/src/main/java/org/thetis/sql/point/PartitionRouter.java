// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.point;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.thetis.base.collection.PersistentSortedMap;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.schema.PartitionItem;
import org.thetis.catalog.schema.PartitionKey;

/**
 * Finds the partition of a key in a table as it is now. Remembers the bounds, which seldom change, apart from the partitions,
 * which change with every load. Thread-safe.
 */
@SuppressWarnings("ReferenceEquality") // What did not change is the same object.
final class PartitionRouter {
    private record Place(@Nullable PartitionKey lower, @Nullable PartitionKey upper, Long id, PartitionItem item) {}

    /** Places by lower bound (ranges), or by key (lists); of one that is not partitioned the only place. */
    private record Layout(
            PersistentSortedMap<Long, Partition> source, List<Place> ranges, Map<PartitionKey, Place> listed) {
        static Layout of(PersistentSortedMap<Long, Partition> partitions) {
            List<Place> ranges = new ArrayList<>();
            Map<PartitionKey, Place> listed = new HashMap<>();
            for (Map.Entry<Long, Partition> entry : partitions) {
                PartitionItem item = entry.getValue().item();
                if (item instanceof PartitionItem.Range range) {
                    ranges.add(new Place(range.lower(), range.upper(), entry.getKey(), item));
                } else if (item instanceof PartitionItem.InList list) {
                    list.keys().forEach(key -> listed.put(key, new Place(null, null, entry.getKey(), item)));
                } else {
                    ranges.add(new Place(null, null, entry.getKey(), item));
                }
            }
            ranges.sort(Comparator.comparing(Place::lower, Comparator.nullsFirst(Comparator.naturalOrder())));
            return new Layout(partitions, ranges, listed);
        }

        @Nullable
        Place find(@Nullable PartitionKey key) {
            if (key == null) {
                return ranges.isEmpty() ? null : ranges.get(0);
            }
            if (!listed.isEmpty()) {
                return listed.get(key);
            }
            int low = 0;
            int high = ranges.size();
            while (low < high) {
                int middle = (low + high) >>> 1;
                PartitionKey lower = ranges.get(middle).lower();
                if (lower != null && lower.compareTo(key) <= 0) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            if (low == 0) {
                return null;
            }
            Place place = ranges.get(low - 1);
            PartitionKey upper = place.upper();
            return upper == null || upper.compareTo(key) > 0 ? place : null;
        }
    }

    private volatile Layout layout;

    PartitionRouter(OlapTable table) {
        layout = Layout.of(table.partitions());
    }

    /** The partition that holds the key; null when the table has none for it. The key of tables without partitions is null. */
    @Nullable
    Partition find(OlapTable table, @Nullable PartitionKey key) {
        Layout known = layout;
        Partition found = find(known, table, key);
        if (found != null || known.source() == table.partitions()) {
            return found;
        }
        Layout fresh = Layout.of(table.partitions());
        layout = fresh;
        return find(fresh, table, key);
    }

    private static @Nullable Partition find(Layout layout, OlapTable table, @Nullable PartitionKey key) {
        Place place = layout.find(key);
        Partition partition = place == null ? null : table.partitions().get(place.id());
        // Ranges do not overlap, so one that is still there is the one.
        return partition != null && place != null && partition.item() == place.item() ? partition : null;
    }
}
