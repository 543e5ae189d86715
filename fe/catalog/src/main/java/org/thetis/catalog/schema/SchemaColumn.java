// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.schema;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.type.DataType;

/**
 * A column of a table.
 *
 * @param uniqueId never changes or is reused for the life of the table; 0 until the table is created
 * @param visible false for hidden columns such as the delete sign
 * @param defaultValue null when there is no DEFAULT clause
 * @param comment empty when there is none
 * @param initial what rows have that were written before the column was added, a literal or NULL; null when the default says it
 */
public record SchemaColumn(
        int uniqueId,
        String name,
        DataType type,
        boolean nullable,
        boolean key,
        AggregateKind aggregate,
        @Nullable DefaultValue defaultValue,
        String comment,
        boolean autoIncrement,
        boolean visible,
        @Nullable DefaultValue initial) {
    public SchemaColumn {
        aggregate = aggregate == null ? AggregateKind.NONE : aggregate;
        comment = comment == null ? "" : comment;
    }

    /** A plain value column. */
    public static SchemaColumn of(String name, DataType type, boolean nullable) {
        return new SchemaColumn(0, name, type, nullable, false, AggregateKind.NONE, null, "", false, true, null);
    }

    public SchemaColumn withUniqueId(int id) {
        return new SchemaColumn(
                id, name, type, nullable, key, aggregate, defaultValue, comment, autoIncrement, visible, initial);
    }

    public SchemaColumn withKey(boolean isKey) {
        return new SchemaColumn(
                uniqueId,
                name,
                type,
                nullable,
                isKey,
                aggregate,
                defaultValue,
                comment,
                autoIncrement,
                visible,
                initial);
    }

    public SchemaColumn withAggregate(AggregateKind kind) {
        return new SchemaColumn(
                uniqueId, name, type, nullable, key, kind, defaultValue, comment, autoIncrement, visible, initial);
    }

    public SchemaColumn withDefault(@Nullable DefaultValue value) {
        return new SchemaColumn(
                uniqueId, name, type, nullable, key, aggregate, value, comment, autoIncrement, visible, initial);
    }

    public SchemaColumn withComment(String text) {
        return new SchemaColumn(
                uniqueId, name, type, nullable, key, aggregate, defaultValue, text, autoIncrement, visible, initial);
    }

    public SchemaColumn withName(String newName) {
        return new SchemaColumn(
                uniqueId,
                newName,
                type,
                nullable,
                key,
                aggregate,
                defaultValue,
                comment,
                autoIncrement,
                visible,
                initial);
    }

    public SchemaColumn withType(DataType newType) {
        return new SchemaColumn(
                uniqueId,
                name,
                newType,
                nullable,
                key,
                aggregate,
                defaultValue,
                comment,
                autoIncrement,
                visible,
                initial);
    }

    public SchemaColumn withNullable(boolean isNullable) {
        return new SchemaColumn(
                uniqueId,
                name,
                type,
                isNullable,
                key,
                aggregate,
                defaultValue,
                comment,
                autoIncrement,
                visible,
                initial);
    }

    public SchemaColumn withInitial(@Nullable DefaultValue first) {
        return new SchemaColumn(
                uniqueId, name, type, nullable, key, aggregate, defaultValue, comment, autoIncrement, visible, first);
    }

    /** The DEFAULT clause, if there is one. */
    @JsonIgnore
    public Optional<DefaultValue> findDefault() {
        return Optional.ofNullable(defaultValue);
    }

    /** Whether an INSERT may leave the column out. */
    @JsonIgnore
    public boolean isOptionalOnInsert() {
        return nullable || defaultValue != null || autoIncrement;
    }
}
