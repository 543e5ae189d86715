// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.admin;

import com.google.common.collect.ImmutableMap;
import java.util.Map;
import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Statement;

/** ADMIN SET TABLE t STATUS PROPERTIES. */
public record AdminSetTableStatus(QualifiedName table, Map<String, String> properties) implements Statement {
    /** Copies the collections. */
    public AdminSetTableStatus {
        properties = ImmutableMap.copyOf(properties);
    }
}
