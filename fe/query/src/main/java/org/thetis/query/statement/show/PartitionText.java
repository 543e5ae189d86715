// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import java.util.ArrayList;
import java.util.List;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.schema.PartitionItem;
import org.thetis.catalog.schema.PartitionKey;
import org.thetis.catalog.type.DataType;

/** Which rows a partition takes, as SHOW PARTITIONS prints it. */
final class PartitionText {
    private PartitionText() {}

    static String range(OlapTable table, Partition partition) {
        List<DataType> types = table.partitionTypes();
        if (partition.item() instanceof PartitionItem.Range range) {
            return "[" + bound(range.lower(), types) + "; ..types: "
                    + bound(range.upper(), types).substring("types: ".length()) + "; )";
        }
        if (partition.item() instanceof PartitionItem.InList list) {
            List<String> keys = new ArrayList<>();
            list.keys().forEach(key -> keys.add(bound(key, types)));
            return "[" + String.join("; ", keys) + "]";
        }
        return "";
    }

    /** `types: [DATE]; keys: [2020-01-01]; ` */
    private static String bound(PartitionKey key, List<DataType> types) {
        List<String> names = new ArrayList<>();
        List<String> values = new ArrayList<>();
        for (int i = 0; i < key.values().size(); i++) {
            names.add(types.get(i).id().name() + (types.get(i).isDateLike() ? "V2" : ""));
            values.add(key.values().get(i).show(types.get(i)));
        }
        return "types: [" + String.join(", ", names) + "]; keys: [" + String.join(", ", values) + "]";
    }
}
