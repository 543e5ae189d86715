// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.ddl;

import com.google.common.collect.ImmutableMap;
import java.util.List;
import java.util.Map;
import org.thetis.base.error.SourcePosition;

/** A rollup: its columns, and its keys if given. */
public record RollupDefinition(
        SourcePosition position, String name, List<String> columns, List<String> keys, Map<String, String> properties) {
    /** Copies the collections. */
    public RollupDefinition {
        columns = List.copyOf(columns);
        keys = List.copyOf(keys);
        properties = ImmutableMap.copyOf(properties);
    }
}
