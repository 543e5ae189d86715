// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.object;

import java.util.List;
import java.util.Map;

/** An INDEX clause of a table: its name, kind (INVERTED, NGRAM_BF), columns and properties. */
public record SecondaryIndex(
        long id, String name, String kind, List<String> columns, Map<String, String> properties, String comment) {
    public SecondaryIndex {
        columns = List.copyOf(columns);
        properties = properties == null ? Map.of() : Map.copyOf(properties);
        comment = comment == null ? "" : comment;
    }
}
