// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import java.util.List;
import java.util.Map;
import org.thetis.sql.expr.SlotReference;

/** Rows made by a table-valued function. */
public record LogicalTableFunction(String name, Map<String, String> properties, List<SlotReference> output)
        implements LogicalPlan, LeafPlan {
    /** Copies the collections. */
    public LogicalTableFunction {
        properties = Map.copyOf(properties);
        output = List.copyOf(output);
    }

    @Override
    public String details() {
        return name;
    }
}
