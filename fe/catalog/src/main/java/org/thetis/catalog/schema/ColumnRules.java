// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.schema;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.type.DataType;
import org.thetis.catalog.type.LiteralCodec;
import org.thetis.catalog.type.TypeId;

/** What the columns of a new table must obey, and what is chosen when the statement leaves it open: keys and short key. */
public final class ColumnRules {
    private static final int MAX_DEFAULT_KEYS = 3;
    private static final int MAX_SHORT_KEY_BYTES = 36;
    private static final int MAX_NAME_LENGTH = 256;

    private ColumnRules() {}

    /** The columns with key flags and unique ids set, under the model that was asked for or chosen. */
    public record Checked(KeysModel keysModel, List<SchemaColumn> columns, int shortKeyColumns) {}

    /**
     * Checks names, types, defaults and keys.
     *
     * @param keysModel null when there is no key clause
     * @param keyColumns of the key clause; empty without one
     */
    public static Checked check(List<SchemaColumn> columns, @Nullable KeysModel keysModel, List<String> keyColumns) {
        if (columns.isEmpty()) {
            throw refused("A table must have at least 1 column");
        }
        checkNames(columns);
        columns.forEach(ColumnRules::checkColumn);
        boolean aggregates = columns.stream().anyMatch(column -> column.aggregate() != AggregateKind.NONE);
        KeysModel model = keysModel != null ? keysModel : aggregates ? KeysModel.AGGREGATE : KeysModel.DUPLICATE;
        int keys = keysModel != null ? checkKeyClause(columns, model, keyColumns) : flaggedOrChosen(columns, model);
        List<SchemaColumn> checked = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            SchemaColumn column = columns.get(i).withUniqueId(i).withKey(i < keys);
            if (column.key() && !column.type().canBeKey()) {
                throw refused(keyTypeMessage(column));
            }
            if (column.key() && column.aggregate() != AggregateKind.NONE) {
                throw refused("Key column can not set aggregation type: " + column.name());
            }
            checked.add(column);
        }
        ModelRules.checkAggregates(model, checked);
        return new Checked(model, checked, shortKeyColumns(checked));
    }

    /** Names are not empty, not reserved, and not used twice. */
    public static void checkNames(List<SchemaColumn> columns) {
        Set<String> names = new HashSet<>();
        for (SchemaColumn column : columns) {
            String name = column.name();
            if (name.isBlank() || name.length() > MAX_NAME_LENGTH) {
                throw refused("Incorrect column name '" + name + "'");
            }
            if (name.toUpperCase(Locale.ROOT).startsWith("__DORIS_") && column.visible()) {
                throw refused("Disallow create column name start with __DORIS_: '" + name + "'");
            }
            if (!names.add(name.toLowerCase(Locale.ROOT))) {
                throw new ThetisException(ErrorCode.DUPLICATE_COLUMN, "Duplicate column name '" + name + "'");
            }
        }
    }

    /** The type can be stored and the default is a value of it. */
    public static void checkColumn(SchemaColumn column) {
        DataType type = column.type();
        if (type.id() == TypeId.TIME || type.id() == TypeId.NULL) {
            throw refused(type.toSql().toUpperCase(Locale.ROOT) + " cannot be the type of a column: " + column.name());
        }
        if (type.isNested() || type.isAggregateState() || type.id() == TypeId.VARIANT) {
            throw ThetisException.notSupported("A column of type " + type + " ('" + column.name() + "')");
        }
        if (column.autoIncrement()) {
            throw ThetisException.notSupported("AUTO_INCREMENT ('" + column.name() + "')");
        }
        @Nullable DefaultValue value = column.defaultValue();
        if (value != null) {
            checkDefault(column, value);
        }
    }

    private static void checkDefault(SchemaColumn column, DefaultValue value) {
        DataType type = column.type();
        boolean fits =
                switch (value.kind()) {
                    case LITERAL -> {
                        try {
                            LiteralCodec.parse(type, value.text());
                        } catch (ThetisException e) {
                            throw new ThetisException(
                                    ErrorCode.INVALID_DEFAULT,
                                    "Invalid default value for '" + column.name() + "': " + e.text());
                        }
                        yield true;
                    }
                    case NULL -> column.nullable();
                    case CURRENT_TIMESTAMP -> type.id() == TypeId.DATETIME;
                    case CURRENT_DATE -> type.id() == TypeId.DATE;
                    case PI, E -> type.id() == TypeId.DOUBLE;
                    case BITMAP_EMPTY -> type.id() == TypeId.BITMAP;
                };
        if (!fits) {
            throw new ThetisException(
                    ErrorCode.INVALID_DEFAULT,
                    "Invalid default value for '" + column.name() + "': " + value.toSql() + " for type " + type);
        }
    }

    /** Number of key columns; they must be the first columns in order. */
    private static int checkKeyClause(List<SchemaColumn> columns, KeysModel model, List<String> keyColumns) {
        if (keyColumns.size() > columns.size()) {
            throw refused("The number of key columns should be less than the number of columns.");
        }
        for (int i = 0; i < keyColumns.size(); i++) {
            String key = keyColumns.get(i);
            if (columns.stream().noneMatch(column -> column.name().equalsIgnoreCase(key))) {
                throw new ThetisException(ErrorCode.UNKNOWN_COLUMN, "Key column(" + key + ") doesn't exist.");
            }
            if (!columns.get(i).name().equalsIgnoreCase(key)) {
                throw refused("Key columns should be a ordered prefix of the schema. KeyColumns[" + i
                        + "] (starts from zero) is " + key + ", but corresponding column is "
                        + columns.get(i).name() + " in the previous columns declaration.");
            }
        }
        if (keyColumns.isEmpty()) {
            throw refused(model.sql() + " needs at least one column");
        }
        return keyColumns.size();
    }

    /** Columns marked KEY, or a short prefix that makes a good sort order. */
    private static int flaggedOrChosen(List<SchemaColumn> columns, KeysModel model) {
        int flagged = (int) columns.stream().filter(SchemaColumn::key).count();
        if (flagged > 0) {
            if (!columns.subList(0, flagged).stream().allMatch(SchemaColumn::key)) {
                throw refused("Key columns must come before value columns");
            }
            return flagged;
        }
        if (model == KeysModel.AGGREGATE) {
            return (int) columns.stream()
                    .takeWhile(column -> column.aggregate() == AggregateKind.NONE)
                    .count();
        }
        int bytes = 0;
        int chosen = 0;
        for (SchemaColumn column : columns) {
            bytes += column.type().indexBytes();
            boolean full = chosen >= MAX_DEFAULT_KEYS || bytes > MAX_SHORT_KEY_BYTES;
            if (!column.type().canBeKey()
                    || (full && !(chosen == 0 && column.type().isText()))) {
                break;
            }
            chosen++;
            if (full || column.type().id() == TypeId.VARCHAR) {
                break;
            }
        }
        return chosen;
    }

    /** How many leading key columns the short-key index holds: at most 3 and 36 bytes, a VARCHAR only as the last. */
    public static int shortKeyColumns(List<SchemaColumn> columns) {
        int bytes = 0;
        int count = 0;
        for (SchemaColumn column : columns) {
            if (!column.key() || count >= MAX_DEFAULT_KEYS) {
                break;
            }
            bytes += column.type().indexBytes();
            if (bytes > MAX_SHORT_KEY_BYTES && count > 0) {
                break;
            }
            count++;
            if (column.type().id() == TypeId.VARCHAR || bytes > MAX_SHORT_KEY_BYTES) {
                break;
            }
        }
        return count;
    }

    private static String keyTypeMessage(SchemaColumn column) {
        if (column.type().isFloatingPoint()) {
            return "Float or double can not used as a key, use decimal instead: " + column.name();
        }
        return column.type().toSql() + " type should not be used in key column[" + column.name() + "].";
    }

    private static ThetisException refused(String message) {
        return new ThetisException(ErrorCode.INVALID_ARGUMENT, message);
    }
}
