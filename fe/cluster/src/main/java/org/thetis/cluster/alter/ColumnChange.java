// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.alter;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.schema.SchemaColumn;

/** One change of a table's columns, as a clause of ALTER TABLE says it. */
public sealed interface ColumnChange {
    /** Where a column goes: first, or after another one. */
    record Position(@Nullable String after) {}

    /** ADD COLUMN; without a position behind the last column of its kind (key or value). */
    record Add(SchemaColumn column, @Nullable Position position) implements ColumnChange {}

    /** DROP COLUMN. */
    record Drop(String name) implements ColumnChange {}

    /**
     * MODIFY COLUMN: everything is as the new definition says.
     *
     * @param nullableGiven whether the definition says NULL or NOT NULL; else the column keeps what it has
     */
    record Modify(SchemaColumn column, boolean nullableGiven, @Nullable Position position) implements ColumnChange {}

    /** ORDER BY: every visible column in its new place. */
    record Reorder(List<String> names) implements ColumnChange {
        public Reorder {
            names = List.copyOf(names);
        }
    }
}
