// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.show;

import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Statement;

/** SHOW DYNAMIC PARTITION TABLES [FROM db]. */
public record ShowDynamicPartitionTables(@Nullable QualifiedName database) implements Statement {}
