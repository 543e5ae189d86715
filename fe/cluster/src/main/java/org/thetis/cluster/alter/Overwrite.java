// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.alter;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
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

    /** The part of it whose temporary partitions pass. */
    public Overwrite only(Predicate<Partition> isChosen) {
        List<Long> chosenReplaced = new ArrayList<>();
        List<Partition> chosen = new ArrayList<>();
        Map<Long, String> chosenNames = new HashMap<>();
        for (int i = 0; i < temporary.size(); i++) {
            Partition partition = temporary.get(i);
            if (isChosen.test(partition)) {
                chosenReplaced.add(replaced.get(i));
                chosen.add(partition);
                chosenNames.put(partition.id(), names.getOrDefault(partition.id(), partition.name()));
            }
        }
        return new Overwrite(databaseId, tableId, chosenReplaced, chosen, chosenNames);
    }

    /** Names of the partitions to fill. */
    public List<String> temporaryNames() {
        return temporary.stream().map(Partition::name).toList();
    }
}
