// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.session;

import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.Statement;

/** KILL of a connection or its query. queryId is set for KILL QUERY 'id'. */
public record Kill(boolean query, @Nullable Long connectionId, @Nullable String queryId) implements Statement {}
