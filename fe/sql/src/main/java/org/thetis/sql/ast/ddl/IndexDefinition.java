// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.ddl;

import com.google.common.collect.ImmutableMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.SourcePosition;

/** An index of a table; kind is upper-case and null when USING is missing. */
public record IndexDefinition(
        SourcePosition position,
        String name,
        boolean ifNotExists,
        List<String> columns,
        @Nullable String kind,
        Map<String, String> properties,
        @Nullable String comment) {
    /** Copies the collections. */
    public IndexDefinition {
        columns = List.copyOf(columns);
        properties = ImmutableMap.copyOf(properties);
    }
}
