// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.admin;

import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.PartitionSelection;
import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Statement;

/** ADMIN [CANCEL] REPAIR TABLE. */
public record AdminRepairTable(boolean cancel, QualifiedName table, @Nullable PartitionSelection partitions)
        implements Statement {}
