// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.ddl;

import com.google.common.collect.ImmutableMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Query;
import org.thetis.sql.ast.Statement;

/** CREATE TABLE, also with AS query. ignored lists clauses of MySQL that were accepted without effect. */
public record CreateTable(
        QualifiedName name,
        boolean ifNotExists,
        boolean external,
        boolean temporary,
        List<ColumnDefinition> columns,
        List<IndexDefinition> indexes,
        @Nullable String engine,
        @Nullable KeyClause key,
        @Nullable String comment,
        @Nullable PartitionClause partitioning,
        @Nullable DistributionClause distribution,
        List<RollupDefinition> rollups,
        Map<String, String> properties,
        @Nullable Query query,
        List<IgnoredClause> ignored)
        implements Statement {
    /** Copies the collections. */
    public CreateTable {
        columns = List.copyOf(columns);
        indexes = List.copyOf(indexes);
        rollups = List.copyOf(rollups);
        properties = ImmutableMap.copyOf(properties);
        ignored = List.copyOf(ignored);
    }
}
