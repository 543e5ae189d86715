// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.alter;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.AggregateKind;
import org.thetis.catalog.schema.ColumnRules;
import org.thetis.catalog.schema.DefaultValue;
import org.thetis.catalog.schema.IndexMeta;
import org.thetis.catalog.schema.KeysModel;
import org.thetis.catalog.schema.ModelRules;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.catalog.schema.TableProperties;
import org.thetis.catalog.type.DataType;
import org.thetis.catalog.type.TypeChange;
import org.thetis.catalog.type.TypeId;

/**
 * Works out what the columns of a table become under some changes, refuses what is not allowed or would lose data, and tells
 * whether files stay as they are (a light change) or must be written anew (a heavy one).
 */
final class ColumnPlan {
    private final OlapTable table;
    private final KeysModel model;
    private final String now;
    private final List<SchemaColumn> columns;
    private final List<SchemaColumn> hidden;
    private final Map<String, String> properties;
    private int nextUniqueId;
    private boolean heavy;

    /** @param now the time as a DATETIME literal, for columns that begin with CURRENT_TIMESTAMP */
    ColumnPlan(OlapTable table, String now) {
        this.table = table;
        this.model = table.keysModel();
        this.now = now;
        this.columns = new ArrayList<>(table.baseIndex().visibleColumns());
        this.hidden =
                table.columns().stream().filter(column -> !column.visible()).toList();
        this.properties = new TreeMap<>(table.properties().values());
        this.nextUniqueId = table.baseIndex().nextUniqueId();
    }

    boolean isHeavy() {
        return heavy;
    }

    /** The properties, in which columns may have gone or changed their names. */
    TableProperties properties() {
        return new TableProperties(properties);
    }

    /** The base index with the new columns and the next schema version. */
    IndexMeta index() {
        List<SchemaColumn> all = new ArrayList<>(columns);
        all.addAll(hidden);
        IndexMeta base = table.baseIndex();
        return new IndexMeta(
                base.id(),
                base.name(),
                base.schemaVersion() + 1,
                base.schemaHash(),
                model,
                all,
                heavy ? ColumnRules.shortKeyColumns(all) : base.shortKeyColumns(),
                nextUniqueId);
    }

    /** Applies the changes in order; fails at the first that cannot be. */
    void apply(List<ColumnChange> changes) {
        for (ColumnChange change : changes) {
            if (change instanceof ColumnChange.Add add) {
                add(add.column(), add.position());
            } else if (change instanceof ColumnChange.Drop drop) {
                drop(drop.name());
            } else if (change instanceof ColumnChange.Modify modify) {
                modify(modify);
            } else if (change instanceof ColumnChange.Reorder reorder) {
                reorder(reorder.names());
            }
        }
        checkWhole();
    }

    private void add(SchemaColumn given, ColumnChange.@Nullable Position position) {
        if (find(given.name()) >= 0) {
            throw new ThetisException(
                    ErrorCode.DUPLICATE_COLUMN,
                    "Can not add column which already exists in base table: " + given.name());
        }
        // In an AGGREGATE table a column without a function is a key.
        boolean key = given.key() || (model == KeysModel.AGGREGATE && given.aggregate() == AggregateKind.NONE);
        if (given.key() && given.aggregate() != AggregateKind.NONE) {
            throw refused("Key column can not set aggregation type: " + given.name());
        }
        if (key && model == KeysModel.UNIQUE) {
            throw refused("Can not add key column in Unique data model table: " + given.name());
        }
        if (!given.nullable() && given.defaultValue() == null) {
            throw refused(
                    "Column " + given.name() + " is NOT NULL and has no default value for the rows that are there");
        }
        SchemaColumn column = given.withKey(key).withUniqueId(nextUniqueId++).withInitial(initial(given));
        columns.add(place(column, position), column);
        heavy |= key;
    }

    /** What existing rows get: the default of now. */
    private DefaultValue initial(SchemaColumn column) {
        DefaultValue value = column.defaultValue();
        if (value == null) {
            return DefaultValue.NULL;
        }
        return switch (value.kind()) {
            case LITERAL, NULL -> value;
            case CURRENT_TIMESTAMP, CURRENT_DATE ->
                DefaultValue.literal(column.type().id() == TypeId.DATE ? now.substring(0, 10) : now);
            case PI -> DefaultValue.literal(Double.toString(Math.PI));
            case E -> DefaultValue.literal(Double.toString(Math.E));
            case BITMAP_EMPTY -> throw ThetisException.notSupported("ADD COLUMN with DEFAULT BITMAP_EMPTY");
        };
    }

    private int place(SchemaColumn column, ColumnChange.@Nullable Position position) {
        if (position == null) {
            return column.key() ? numKeys() : columns.size();
        }
        int index = position.after() == null ? 0 : get(position.after()) + 1;
        boolean fits = column.key() ? index <= numKeys() : index >= numKeys();
        if (!fits) {
            throw refused("Invalid column order. value should be after key: " + column.name());
        }
        return index;
    }

    private void drop(String name) {
        SchemaColumn column = columns.get(get(name));
        if (isNamed(table.partitionSpec().columns(), name)) {
            throw refused("Partition column[" + name + "] cannot be dropped");
        }
        if (isNamed(table.distribution().columns(), name)) {
            throw refused("Distribution column[" + name + "] cannot be dropped");
        }
        if (table.properties().sequenceColumn().equalsIgnoreCase(name)) {
            throw refused("Can not drop sequence mapping column[" + name + "] in Unique data model table["
                    + table.name() + "]");
        }
        if (isNamed(table.properties().rowStoreColumns(), name)) {
            throw refused("Can not drop column[" + name + "], which row_store_columns names");
        }
        if (table.secondaryIndexes().stream().anyMatch(index -> isNamed(index.columns(), name))) {
            throw refused("Can not drop column[" + name + "], which an index uses");
        }
        if (column.key()) {
            checkKeyDrop(name);
            heavy = true;
        }
        columns.remove(get(name));
        List<String> bloom = table.properties().bloomFilterColumns().stream()
                .filter(known -> !known.equalsIgnoreCase(name) && find(known) >= 0)
                .toList();
        if (bloom.isEmpty()) {
            properties.remove(TableProperties.BLOOM_FILTER_COLUMNS);
        } else {
            properties.put(TableProperties.BLOOM_FILTER_COLUMNS, String.join(",", bloom));
        }
    }

    private void checkKeyDrop(String name) {
        if (model == KeysModel.UNIQUE) {
            throw refused("Can not drop key column in Unique data model table: " + name);
        }
        boolean replaces = columns.stream()
                .anyMatch(column -> column.aggregate() == AggregateKind.REPLACE
                        || column.aggregate() == AggregateKind.REPLACE_IF_NOT_NULL);
        if (model == KeysModel.AGGREGATE && replaces) {
            throw refused(
                    "Can not drop key column when table has value column with REPLACE aggregation method: " + name);
        }
        if (numKeys() == 1) {
            throw refused("No key column left. table[" + table.name() + "]");
        }
    }

    private void modify(ColumnChange.Modify change) {
        SchemaColumn given = change.column();
        int index = get(given.name());
        SchemaColumn before = columns.get(index);
        if (given.key() && !before.key()) {
            throw refused("Can not change value column to key column: " + before.name());
        }
        checkAggregate(before, given);
        DataType type = given.type();
        boolean placed = isNamed(table.partitionSpec().columns(), before.name())
                || isNamed(table.distribution().columns(), before.name());
        boolean nullable = change.nullableGiven() ? given.nullable() : before.nullable();
        if (placed && (!type.equals(before.type()) || nullable != before.nullable())) {
            throw refused("Can not modify partition or distribution column[" + before.name() + "]");
        }
        if (table.properties().sequenceColumn().equalsIgnoreCase(before.name()) && !type.equals(before.type())) {
            throw refused("Can not alter sequence column[" + before.name() + "]");
        }
        TypeChange.refusal(before.type(), type).ifPresent(reason -> {
            throw refused(reason + ": " + before.name());
        });
        if (TypeChange.isParsed(before.type(), type)) {
            checkParsed(before, type);
        }
        if (before.nullable() && !nullable) {
            throw refused("Can not change from nullable to non-nullable: " + before.name());
        }
        SchemaColumn after = before.withType(type)
                .withNullable(nullable)
                .withComment(given.comment().isEmpty() ? before.comment() : given.comment());
        if (given.defaultValue() != null && !Objects.equals(given.defaultValue(), before.defaultValue())) {
            // Rows written before the column was added keep what they had.
            DefaultValue old = before.defaultValue() == null ? DefaultValue.NULL : before.defaultValue();
            after = after.withDefaultValue(given.defaultValue())
                    .withInitial(before.initial() == null ? old : before.initial());
        }
        heavy |= !TypeChange.keepsFiles(before.type(), type) || nullable != before.nullable();
        columns.set(index, after);
        if (change.position() != null) {
            move(after, change.position());
        }
    }

    /** What was told apart or ordered as text would be another row as a number. */
    private void checkParsed(SchemaColumn column, DataType type) {
        String change = "Can not change " + column.type().toSql() + " to " + type.toSql() + ": " + column.name();
        if (column.key() && model != KeysModel.DUPLICATE) {
            throw refused(change + " is a key column, of which different texts such as '7' and '07' would become one");
        }
        if (column.aggregate() == AggregateKind.MIN || column.aggregate() == AggregateKind.MAX) {
            throw refused(change + " has " + column.aggregate() + " of texts, which is not that of numbers");
        }
    }

    private void checkAggregate(SchemaColumn before, SchemaColumn given) {
        if (model == KeysModel.AGGREGATE && !before.key() && given.aggregate() == AggregateKind.NONE) {
            throw refused("Can not change aggregation type: " + before.name() + " has " + before.aggregate());
        }
        if (given.aggregate() != AggregateKind.NONE && given.aggregate() != before.aggregate()) {
            throw refused("Can not change aggregation type: " + before.name());
        }
    }

    private void move(SchemaColumn column, ColumnChange.Position position) {
        if (column.name().equalsIgnoreCase(position.after())) {
            throw refused("Can not place column " + column.name() + " after itself");
        }
        columns.remove(column);
        columns.add(place(column, position), column);
        heavy = true;
    }

    private void reorder(List<String> names) {
        List<SchemaColumn> ordered = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (String name : names) {
            ordered.add(columns.get(get(name)));
            if (!seen.add(name.toLowerCase(Locale.ROOT))) {
                throw refused("Reduplicative column[" + name + "]");
            }
        }
        if (ordered.size() != columns.size()) {
            throw refused("Reorder stmt should contains all columns");
        }
        boolean valueSeen = false;
        for (SchemaColumn column : ordered) {
            if (column.key() && valueSeen) {
                throw refused("Invalid column order. key should before all values: " + column.name());
            }
            valueSeen |= !column.key();
        }
        if (!ordered.equals(columns)) {
            heavy = true;
        }
        columns.clear();
        columns.addAll(ordered);
    }

    /** What CREATE TABLE would refuse is refused here too. */
    private void checkWhole() {
        if (columns.isEmpty()) {
            throw refused("A table must have at least 1 column");
        }
        columns.forEach(ColumnRules::checkColumn);
        ColumnRules.checkNames(columns);
        for (SchemaColumn column : columns) {
            if (column.key() && !column.type().canBeKey()) {
                throw refused(column.type().toSql() + " type should not be used in key column[" + column.name() + "].");
            }
        }
        ModelRules.checkAggregates(model, columns);
    }

    private int numKeys() {
        return (int) columns.stream().filter(SchemaColumn::key).count();
    }

    private int find(String name) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equalsIgnoreCase(name)) {
                return i;
            }
        }
        return -1;
    }

    private int get(String name) {
        int index = find(name);
        if (index < 0) {
            throw new ThetisException(
                    ErrorCode.UNKNOWN_COLUMN, "Column does not exists: " + name + " in table '" + table.name() + "'");
        }
        return index;
    }

    private static boolean isNamed(Collection<String> names, String name) {
        return names.stream().anyMatch(name::equalsIgnoreCase);
    }

    private static ThetisException refused(String message) {
        return new ThetisException(ErrorCode.INVALID_ARGUMENT, message);
    }
}
