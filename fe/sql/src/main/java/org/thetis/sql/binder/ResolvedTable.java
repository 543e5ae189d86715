// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.binder;

import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.type.DataType;
import org.thetis.sql.expr.Literal;

/** What a table name stands for. */
public sealed interface ResolvedTable {
    /** A table stored in tablets. */
    record Stored(String catalog, String database, OlapTable table) implements ResolvedTable {}

    /**
     * A view: its query's text, bound with the database and catalog it was created in. Column names override those of the query
     * when not empty.
     */
    record View(String catalog, String database, String name, String sql, List<String> columnNames)
            implements ResolvedTable {
        /** Copies the list. */
        public View {
            columnNames = List.copyOf(columnNames);
        }
    }

    /**
     * A table whose rows the front end holds, such as those of information_schema. Rows are asked for once per reference, while the
     * statement is planned; equality conditions on columns may be passed down as hints later, so the supplier may be lazy.
     */
    record Rows(String catalog, String database, String name, List<Column> columns, Supplier<List<List<Literal>>> rows)
            implements ResolvedTable {
        /** Copies the list. */
        public Rows {
            columns = List.copyOf(columns);
        }
    }

    /** A column of a front-end-held table. */
    record Column(String name, DataType type, boolean nullable, @Nullable String comment) {}
}
