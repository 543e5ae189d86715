// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.lower;

import org.jspecify.annotations.Nullable;
import org.thetis.catalog.object.OlapTable;

/** Where an INSERT writes. */
public record InsertTarget(
        String catalog, String database, OlapTable table, @Nullable String label, boolean overwrite) {}
