// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.ddl;

import java.util.List;
import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Statement;

/** ALTER TABLE with one or more clauses. */
public record AlterTable(QualifiedName name, List<AlterTableClause> clauses) implements Statement {
    /** Copies the collections. */
    public AlterTable {
        clauses = List.copyOf(clauses);
    }
}
