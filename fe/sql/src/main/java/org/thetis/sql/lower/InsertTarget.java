// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.lower;

import org.jspecify.annotations.Nullable;
import org.thetis.catalog.object.OlapTable;
import org.thetis.sql.plan.WrittenColumns;

/** Where an INSERT, UPDATE or DELETE writes, and which columns. */
public record InsertTarget(
        String catalog,
        String database,
        OlapTable table,
        WrittenColumns columns,
        @Nullable String label,
        boolean overwrite) {}
