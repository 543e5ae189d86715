// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.show;

import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Statement;

/** SHOW [AUTO] ANALYZE [job id or table]. */
public record ShowAnalyze(boolean automatic, @Nullable Long jobId, @Nullable QualifiedName table, ShowFilter filter)
        implements Statement {}
