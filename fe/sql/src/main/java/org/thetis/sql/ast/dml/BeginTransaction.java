// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.dml;

import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.Statement;

/** BEGIN or START TRANSACTION. */
public record BeginTransaction(@Nullable String label) implements Statement {}
