// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.binder;

import org.thetis.catalog.type.DataType;
import org.thetis.sql.ast.TypeName;

/** Turns a type as written into a type. */
public final class TypeNames {
    private TypeNames() {}

    /** The type of a column definition; fails with INVALID_ARGUMENT for what is no type. */
    public static DataType resolve(TypeName name) {
        return DataType.parse(text(name));
    }

    /** The target of a CAST: SIGNED and UNSIGNED are BIGINT, character types without length are unbounded. */
    public static DataType resolveCast(TypeName name) {
        return switch (name.name()) {
            case "SIGNED", "UNSIGNED" -> DataType.BIGINT;
            case "CHAR", "VARCHAR", "TEXT", "STRING", "CHARACTER" ->
                name.parameters().isEmpty() || name.parameters().contains("*") ? DataType.STRING : resolve(name);
            case "BINARY", "VARBINARY" -> DataType.STRING;
            default -> resolve(name);
        };
    }

    private static String text(TypeName name) {
        StringBuilder text = new StringBuilder(name.name());
        if (!name.parameters().isEmpty()) {
            text.append('(').append(String.join(",", name.parameters())).append(')');
        }
        if (!name.children().isEmpty()) {
            text.append('<');
            for (int i = 0; i < name.children().size(); i++) {
                text.append(i == 0 ? "" : ",");
                if (!name.fieldNames().isEmpty()) {
                    text.append(name.fieldNames().get(i)).append(':');
                }
                text.append(text(name.children().get(i)));
            }
            text.append('>');
        }
        return text.toString();
    }
}
