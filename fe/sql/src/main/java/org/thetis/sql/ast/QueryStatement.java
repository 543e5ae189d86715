// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast;

import org.jspecify.annotations.Nullable;

/** A query run for its rows (or for its file, with an INTO OUTFILE clause). */
public record QueryStatement(Query query, @Nullable Outfile outfile) implements Statement {}
