// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.show;

import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Statement;

/** SHOW ALTER TABLE COLUMN, ROLLUP or MATERIALIZED VIEW [FROM db]; kind is one of these words. */
public record ShowAlterTable(String kind, @Nullable QualifiedName database, ShowFilter filter) implements Statement {}
