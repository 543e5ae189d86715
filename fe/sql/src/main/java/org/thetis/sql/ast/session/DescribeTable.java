// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.session;

import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.PartitionSelection;
import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Statement;

/** DESC table; all shows every index of it. */
public record DescribeTable(QualifiedName table, boolean all, @Nullable PartitionSelection partitions)
        implements Statement {}
