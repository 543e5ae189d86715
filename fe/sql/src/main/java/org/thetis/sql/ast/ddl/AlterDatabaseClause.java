// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.ddl;

import com.google.common.collect.ImmutableMap;
import java.util.Map;

/** What ALTER DATABASE changes. */
public sealed interface AlterDatabaseClause {
    /** RENAME name. */
    record Rename(String name) implements AlterDatabaseClause {}

    /** SET DATA, REPLICA or TRANSACTION QUOTA; the value may carry a unit such as 10G. */
    record SetQuota(String kind, String value) implements AlterDatabaseClause {}

    /** SET PROPERTIES. */
    record SetProperties(Map<String, String> properties) implements AlterDatabaseClause {
        /** Copies the collections. */
        public SetProperties {
            properties = ImmutableMap.copyOf(properties);
        }
    }
}
