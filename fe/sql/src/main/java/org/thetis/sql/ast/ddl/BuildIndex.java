// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.ddl;

import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.PartitionSelection;
import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Statement;

/** BUILD INDEX: index the rows that existed before the index. name is null for all indexes. */
public record BuildIndex(QualifiedName table, @Nullable String name, @Nullable PartitionSelection partitions)
        implements Statement {}
