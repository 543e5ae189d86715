// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.alter;

import java.util.List;
import java.util.Map;
import org.thetis.catalog.schema.Partition;

/**
 * An INSERT OVERWRITE under way.
 *
 * @param replaced ids of the partitions whose place is taken at the end
 * @param temporary the partitions that are being filled
 * @param names what the temporary partitions are called afterwards, by id
 */
public record Overwrite(
        long databaseId, long tableId, List<Long> replaced, List<Partition> temporary, Map<Long, String> names) {
    public Overwrite {
        replaced = List.copyOf(replaced);
        temporary = List.copyOf(temporary);
        names = Map.copyOf(names);
    }

    /** Names of the partitions to fill. */
    public List<String> temporaryNames() {
        return temporary.stream().map(Partition::name).toList();
    }
}
