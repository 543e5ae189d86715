// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.show;

import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.Statement;

/** SHOW DATABASES [FROM catalog]. */
public record ShowDatabases(@Nullable String catalog, ShowFilter filter) implements Statement {}
