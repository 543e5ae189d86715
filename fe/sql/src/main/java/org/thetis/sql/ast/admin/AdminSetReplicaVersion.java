// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.admin;

import com.google.common.collect.ImmutableMap;
import java.util.Map;
import org.thetis.sql.ast.Statement;

/** ADMIN SET REPLICA VERSION PROPERTIES. */
public record AdminSetReplicaVersion(Map<String, String> properties) implements Statement {
    /** Copies the collections. */
    public AdminSetReplicaVersion {
        properties = ImmutableMap.copyOf(properties);
    }
}
