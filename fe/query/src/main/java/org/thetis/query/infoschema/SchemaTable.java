// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.infoschema;

import java.util.List;
import org.thetis.sql.binder.ResolvedTable;
import org.thetis.sql.expr.Literal;

/**
 * A table whose rows the front end computes when a statement reads it. Stateless. Every public class of this folder that ends in
 * Table is one, made by its constructor without parameters.
 */
public interface SchemaTable {
    /** Lower-case name. */
    String name();

    List<ResolvedTable.Column> columns();

    /** The rows the user may see, in column order. */
    List<List<Literal>> rows(SchemaTableContext context);

    /** The database it is found in. */
    default String database() {
        return "information_schema";
    }
}
