// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.show;

import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Statement;

/** SHOW [TEMPORARY] PARTITIONS FROM table. */
public record ShowPartitions(boolean temporary, QualifiedName table, ShowFilter filter) implements Statement {}
