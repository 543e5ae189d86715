// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.lower;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.object.OlapTable;
import org.thetis.sql.plan.WrittenColumns;

/**
 * Where an INSERT, UPDATE or DELETE writes, and which columns.
 *
 * @param unconverted per column where the rows have what it was converted from, or -1; empty when they have nothing of the kind
 */
public record InsertTarget(
        String catalog,
        String database,
        OlapTable table,
        WrittenColumns columns,
        List<Integer> unconverted,
        @Nullable String label,
        boolean overwrite) {}
