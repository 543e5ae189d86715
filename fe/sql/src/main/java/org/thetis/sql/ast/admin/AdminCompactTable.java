// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.admin;

import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.PartitionSelection;
import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Statement;

/** ADMIN COMPACT TABLE t [PARTITION p] WHERE TYPE = 'base'. */
public record AdminCompactTable(QualifiedName table, @Nullable PartitionSelection partitions, @Nullable String type)
        implements Statement {}
