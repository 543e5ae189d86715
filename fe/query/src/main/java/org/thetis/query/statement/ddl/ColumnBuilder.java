// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.ddl;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.schema.AggregateKind;
import org.thetis.catalog.schema.DefaultValue;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.catalog.type.DataType;
import org.thetis.catalog.type.TypeId;
import org.thetis.sql.ast.TypeName;
import org.thetis.sql.ast.ddl.ColumnDefinition;
import org.thetis.sql.binder.TypeNames;

/** Turns a column definition as written into a column of the catalog. */
final class ColumnBuilder {
    private ColumnBuilder() {}

    static SchemaColumn build(ColumnDefinition definition) {
        TypeName typeName = definition.type();
        if (typeName == null) {
            throw new ThetisException(
                    ErrorCode.ANALYSIS, "Column '" + definition.name() + "' has no type", definition.position());
        }
        if (definition.generated() != null) {
            throw ThetisException.notSupported("generated column '" + definition.name() + "'");
        }
        if (definition.autoIncrement() != null) {
            throw ThetisException.notSupported("AUTO_INCREMENT column '" + definition.name() + "'");
        }
        if (definition.onUpdate() != null) {
            throw ThetisException.notSupported("ON UPDATE of column '" + definition.name() + "'");
        }
        DataType type = TypeNames.resolve(typeName);
        checkStorable(definition, type);
        return new SchemaColumn(
                0,
                definition.name(),
                type,
                definition.nullable() == null || definition.nullable(),
                definition.key(),
                aggregate(definition.aggregate()),
                defaultValue(definition.defaultValue()),
                definition.comment() == null ? "" : definition.comment(),
                false,
                true,
                null);
    }

    private static void checkStorable(ColumnDefinition definition, DataType type) {
        if (type.isNested() || type.isAggregateState() || type.id() == TypeId.VARIANT) {
            throw ThetisException.notSupported("column type " + type.toSql() + " of '" + definition.name() + "'");
        }
        if (type.id() == TypeId.TIME || type.id() == TypeId.NULL) {
            throw new ThetisException(
                    ErrorCode.ANALYSIS,
                    "Type " + type.toSql() + " cannot be stored, column '" + definition.name() + "'",
                    definition.position());
        }
    }

    private static AggregateKind aggregate(@Nullable String name) {
        if (name == null) {
            return AggregateKind.NONE;
        }
        try {
            return AggregateKind.valueOf(name.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException unknown) {
            throw new ThetisException(ErrorCode.ANALYSIS, "Unknown aggregation type '" + name + "'", unknown);
        }
    }

    private static @Nullable DefaultValue defaultValue(org.thetis.sql.ast.ddl.@Nullable DefaultValue written) {
        if (written == null) {
            return null;
        }
        return switch (written.kind()) {
            case LITERAL -> DefaultValue.literal(written.text() == null ? "" : written.text());
            case NULL -> DefaultValue.NULL;
            case CURRENT_TIMESTAMP ->
                new DefaultValue(
                        DefaultValue.Kind.CURRENT_TIMESTAMP,
                        written.precision() == null ? "" : String.valueOf(written.precision()));
            case CURRENT_DATE -> DefaultValue.of(DefaultValue.Kind.CURRENT_DATE);
            case PI -> DefaultValue.of(DefaultValue.Kind.PI);
            case E -> DefaultValue.of(DefaultValue.Kind.E);
            case BITMAP_EMPTY, EMPTY_ARRAY -> throw ThetisException.notSupported("DEFAULT " + written.kind());
        };
    }
}
