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
 * @param nextUniqueId what the next new column gets; ids of dropped columns are never given again
 */
public record IndexMeta(
        long id,
        String name,
        int schemaVersion,
        int schemaHash,
        KeysModel keysModel,
        List<SchemaColumn> columns,
        int shortKeyColumns,
        int nextUniqueId) {
    public IndexMeta {
        columns = List.copyOf(columns);
        nextUniqueId = Math.max(
                nextUniqueId,
                columns.stream().mapToInt(SchemaColumn::uniqueId).max().orElse(-1) + 1);
    }

    /** An index as CREATE TABLE makes it. */
    public static IndexMeta of(
            long id,
            String name,
            int schemaHash,
            KeysModel keysModel,
            List<SchemaColumn> columns,
            int shortKeyColumns) {
        return new IndexMeta(id, name, 0, schemaHash, keysModel, columns, shortKeyColumns, 0);
    }

    /** The same index for another table. */
    public IndexMeta copy(long newId, String newName) {
        return new IndexMeta(
                newId, newName, schemaVersion, schemaHash, keysModel, columns, shortKeyColumns, nextUniqueId);
    }

    /** The same data under other columns. */
    public IndexMeta withColumns(int newVersion, List<SchemaColumn> changed, int nextId) {
        return new IndexMeta(id, name, newVersion, schemaHash, keysModel, changed, shortKeyColumns, nextId);
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
