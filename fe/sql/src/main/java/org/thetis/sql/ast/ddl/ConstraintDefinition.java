// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.ddl;

import java.util.List;
import org.thetis.sql.ast.QualifiedName;

/** A declared, unenforced constraint. */
public sealed interface ConstraintDefinition {
    /** PRIMARY KEY (columns). */
    record PrimaryKey(List<String> columns) implements ConstraintDefinition {
        /** Copies the collections. */
        public PrimaryKey {
            columns = List.copyOf(columns);
        }
    }

    /** UNIQUE (columns). */
    record Unique(List<String> columns) implements ConstraintDefinition {
        /** Copies the collections. */
        public Unique {
            columns = List.copyOf(columns);
        }
    }

    /** FOREIGN KEY (columns) REFERENCES t (columns). */
    record ForeignKey(List<String> columns, QualifiedName table, List<String> referenced)
            implements ConstraintDefinition {
        /** Copies the collections. */
        public ForeignKey {
            columns = List.copyOf(columns);
            referenced = List.copyOf(referenced);
        }
    }
}
