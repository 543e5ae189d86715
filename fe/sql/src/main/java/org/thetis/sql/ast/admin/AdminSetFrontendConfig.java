// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.admin;

import com.google.common.collect.ImmutableMap;
import java.util.Map;
import org.thetis.sql.ast.Statement;

/** ADMIN SET [ALL] FRONTEND[S] CONFIG. */
public record AdminSetFrontendConfig(boolean all, Map<String, String> settings) implements Statement {
    /** Copies the collections. */
    public AdminSetFrontendConfig {
        settings = ImmutableMap.copyOf(settings);
    }
}
