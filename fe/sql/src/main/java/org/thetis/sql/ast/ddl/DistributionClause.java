// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.ddl;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.SourcePosition;

/** DISTRIBUTED BY. buckets is null without BUCKETS and with BUCKETS AUTO; columns is empty for RANDOM. */
public record DistributionClause(
        SourcePosition position, boolean random, List<String> columns, @Nullable Integer buckets, boolean automatic) {
    /** Copies the collections. */
    public DistributionClause {
        columns = List.copyOf(columns);
    }
}
