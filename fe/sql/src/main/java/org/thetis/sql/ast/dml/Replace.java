// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.dml;

import org.thetis.sql.ast.Statement;

/** REPLACE INTO: an INSERT whose rows take the place of those with the same keys. */
public record Replace(Insert insert) implements Statement {}
