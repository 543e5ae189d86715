// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.admin;

import java.util.List;
import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Statement;

/** CANCEL ALTER TABLE COLUMN, ROLLUP or MATERIALIZED VIEW FROM t, and CANCEL BUILD INDEX ON t (kind BUILD INDEX). */
public record CancelAlterTable(String kind, QualifiedName table, List<Long> jobIds) implements Statement {
    /** Copies the collections. */
    public CancelAlterTable {
        jobIds = List.copyOf(jobIds);
    }
}
