// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.ddl;

import com.google.common.collect.ImmutableMap;
import java.util.Map;
import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Statement;

/** CREATE DATABASE. */
public record CreateDatabase(QualifiedName name, boolean ifNotExists, Map<String, String> properties)
        implements Statement {
    /** Copies the collections. */
    public CreateDatabase {
        properties = ImmutableMap.copyOf(properties);
    }
}
