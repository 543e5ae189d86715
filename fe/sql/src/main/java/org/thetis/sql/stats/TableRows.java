// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.stats;

import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.ColumnStatistics;

/** What back ends told of tablets and columns. */
public interface TableRows {
    /** Rows of a tablet; empty when no report came yet. */
    OptionalLong rows(long tabletId);

    /** What is known of columns, by unique id; those nothing is known of may be missing. */
    default Map<Integer, ColumnStatistics> columns(OlapTable table, Set<Integer> uniqueIds) {
        return Map.of();
    }
}
