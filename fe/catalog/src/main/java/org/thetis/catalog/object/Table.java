// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.object;

import java.util.List;
import java.util.Optional;
import org.thetis.catalog.schema.SchemaColumn;

/** Something with columns that FROM can name. Immutable. */
public sealed interface Table permits OlapTable, View {
    long id();

    /** The database that holds it. */
    long databaseId();

    String name();

    /** Empty when there is none. */
    String comment();

    long createMillis();

    /** Every column, hidden ones included, in table order. */
    List<SchemaColumn> columns();

    /** A column by name, whatever its case. */
    default Optional<SchemaColumn> findColumn(String name) {
        for (SchemaColumn column : columns()) {
            if (column.name().equalsIgnoreCase(name)) {
                return Optional.of(column);
            }
        }
        return Optional.empty();
    }

    /** The same object under another name. */
    Table renamed(String name);
}
