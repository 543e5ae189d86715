// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.schema;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;
import java.util.Optional;

/**
 * One arrangement of a table's rows: the base index, which has every column, or a rollup.
 *
 * @param schemaHash shown by SHOW TABLETS; identifies nothing by itself
 * @param shortKeyColumns how many leading key columns the short-key index holds
 */
public record IndexMeta(
        long id,
        String name,
        int schemaVersion,
        int schemaHash,
        KeysModel keysModel,
        List<SchemaColumn> columns,
        int shortKeyColumns) {
    public IndexMeta {
        columns = List.copyOf(columns);
    }

    /** A column by name, whatever its case. */
    public Optional<SchemaColumn> findColumn(String name) {
        for (SchemaColumn column : columns) {
            if (column.name().equalsIgnoreCase(name)) {
                return Optional.of(column);
            }
        }
        return Optional.empty();
    }

    /** Position among all columns, hidden ones included; -1 if there is none of this name. */
    public int positionOf(String name) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equalsIgnoreCase(name)) {
                return i;
            }
        }
        return -1;
    }

    @JsonIgnore
    public List<SchemaColumn> keyColumns() {
        return columns.stream().filter(SchemaColumn::key).toList();
    }

    @JsonIgnore
    public List<SchemaColumn> visibleColumns() {
        return columns.stream().filter(SchemaColumn::visible).toList();
    }
}
