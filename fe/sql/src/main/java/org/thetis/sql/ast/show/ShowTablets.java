// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.show;

import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.PartitionSelection;
import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Statement;

/** SHOW TABLETS FROM table [PARTITION (...)]. */
public record ShowTablets(QualifiedName table, @Nullable PartitionSelection partitions, ShowFilter filter)
        implements Statement {}
