// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.ddl;

import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.PartitionSelection;
import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Statement;

/** TRUNCATE TABLE, whole or by partitions. */
public record TruncateTable(QualifiedName name, @Nullable PartitionSelection partitions, boolean force)
        implements Statement {}
