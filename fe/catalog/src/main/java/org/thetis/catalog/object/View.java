// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.object;

import java.util.List;
import org.thetis.catalog.schema.SchemaColumn;

/** A named query. `columns` are its output with the names the view gives them; `query` is SQL text with qualified names. */
public record View(
        long id,
        long databaseId,
        String name,
        String comment,
        long createMillis,
        List<SchemaColumn> columns,
        String query)
        implements Table {
    public View {
        columns = List.copyOf(columns);
    }

    @Override
    public View renamed(String newName) {
        return new View(id, databaseId, newName, comment, createMillis, columns, query);
    }

    /** A view with another definition. */
    public View redefined(List<SchemaColumn> newColumns, String newQuery, String newComment) {
        return new View(id, databaseId, name, newComment, createMillis, newColumns, newQuery);
    }
}
