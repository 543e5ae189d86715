// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.persist;

import java.util.List;
import java.util.Map;
import org.thetis.catalog.snapshot.CatalogSnapshot;

/** Global variables got values or went back to their defaults. */
public record SetGlobalVariables(Map<String, String> values, List<String> removed) implements JournalRecord {
    @Override
    public CatalogSnapshot apply(CatalogSnapshot before) {
        CatalogSnapshot after = before;
        for (Map.Entry<String, String> entry : values.entrySet()) {
            after = after.withGlobalVariable(entry.getKey(), entry.getValue());
        }
        for (String name : removed) {
            after = after.withoutGlobalVariable(name);
        }
        return after;
    }
}
