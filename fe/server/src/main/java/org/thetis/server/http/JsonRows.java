// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.base.json.Json;
import org.thetis.catalog.type.DataType;
import org.thetis.catalog.type.TypeId;
import org.thetis.query.result.StatementResult;

/** Rows as JSON arrays: numbers as numbers where JSON has them, everything else as text. */
final class JsonRows {
    private JsonRows() {}

    static ArrayNode of(StatementResult.Held held) {
        ArrayNode rows = Json.mapper().createArrayNode();
        for (List<@Nullable String> row : held.rows()) {
            ArrayNode values = rows.addArray();
            for (int i = 0; i < row.size(); i++) {
                add(values, held.columns().get(i).type(), row.get(i));
            }
        }
        return rows;
    }

    private static void add(ArrayNode values, DataType type, @Nullable String text) {
        if (text == null) {
            values.addNull();
        } else if (type.id() == TypeId.BOOLEAN) {
            values.add(text.equals("1"));
        } else if (type.isInteger() && type.id() != TypeId.LARGEINT) {
            values.add(Long.parseLong(text));
        } else if (type.isFloatingPoint() && !text.contains("n")) {
            // "inf" and "nan" have no JSON form and stay text.
            values.add(Double.parseDouble(text));
        } else if (type.isDecimal()) {
            values.add(new BigDecimal(text));
        } else {
            values.add(text);
        }
    }
}
