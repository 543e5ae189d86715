// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.show;

import com.google.common.collect.ImmutableMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Statement;

/** SHOW DATA [ALL] [FROM table]. table is null for the whole database. */
public record ShowData(
        boolean detailed, @Nullable QualifiedName table, ShowFilter filter, Map<String, String> properties)
        implements Statement {
    /** Copies the collections. */
    public ShowData {
        properties = ImmutableMap.copyOf(properties);
    }
}
