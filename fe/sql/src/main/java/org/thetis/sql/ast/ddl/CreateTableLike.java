// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.ddl;

import java.util.List;
import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Statement;

/** CREATE TABLE ... LIKE. With withRollup and no names all rollups are copied. */
public record CreateTableLike(
        QualifiedName name,
        boolean ifNotExists,
        boolean external,
        QualifiedName source,
        boolean withRollup,
        List<String> rollups)
        implements Statement {
    /** Copies the collections. */
    public CreateTableLike {
        rollups = List.copyOf(rollups);
    }
}
