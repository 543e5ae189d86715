// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.schema;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.soabase.recordbuilder.core.RecordBuilder;
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
@RecordBuilder
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
        @Nullable DefaultValue initial)
        implements SchemaColumnBuilder.With {
    public SchemaColumn {
        aggregate = aggregate == null ? AggregateKind.NONE : aggregate;
        comment = comment == null ? "" : comment;
    }

    /** A plain value column. */
    public static SchemaColumn of(String name, DataType type, boolean nullable) {
        return new SchemaColumn(0, name, type, nullable, false, AggregateKind.NONE, null, "", false, true, null);
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
