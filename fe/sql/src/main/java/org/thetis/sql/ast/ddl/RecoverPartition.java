// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.ddl;

import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Statement;

/** RECOVER PARTITION from the recycle bin. */
public record RecoverPartition(QualifiedName table, String name, @Nullable Long id, @Nullable String renameTo)
        implements Statement {}
