// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.admin;

import com.google.common.collect.ImmutableMap;
import java.util.List;
import java.util.Map;
import org.thetis.sql.ast.Statement;

/** ADMIN CHECK TABLET (ids) PROPERTIES. */
public record AdminCheckTablets(List<Long> tabletIds, Map<String, String> properties) implements Statement {
    /** Copies the collections. */
    public AdminCheckTablets {
        tabletIds = List.copyOf(tabletIds);
        properties = ImmutableMap.copyOf(properties);
    }
}
