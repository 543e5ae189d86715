// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.admin;

import com.google.common.collect.ImmutableMap;
import java.util.Map;
import org.thetis.sql.ast.Statement;

/** ADMIN COPY TABLET id PROPERTIES. */
public record AdminCopyTablet(long tabletId, Map<String, String> properties) implements Statement {
    /** Copies the collections. */
    public AdminCopyTablet {
        properties = ImmutableMap.copyOf(properties);
    }
}
