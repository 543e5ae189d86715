// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.ddl;

import com.google.common.collect.ImmutableMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.PartitionSelection;

/** One clause of ALTER TABLE. */
public sealed interface AlterTableClause {
    /** ADD COLUMN. */
    record AddColumn(
            ColumnDefinition column,
            @Nullable ColumnPosition position,
            @Nullable String rollup,
            Map<String, String> properties)
            implements AlterTableClause {
        /** Copies the collections. */
        public AddColumn {
            properties = ImmutableMap.copyOf(properties);
        }
    }

    /** ADD COLUMN (a, b). */
    record AddColumns(List<ColumnDefinition> columns, @Nullable String rollup, Map<String, String> properties)
            implements AlterTableClause {
        /** Copies the collections. */
        public AddColumns {
            columns = List.copyOf(columns);
            properties = ImmutableMap.copyOf(properties);
        }
    }

    /** DROP COLUMN. */
    record DropColumn(String name, @Nullable String rollup, Map<String, String> properties)
            implements AlterTableClause {
        /** Copies the collections. */
        public DropColumn {
            properties = ImmutableMap.copyOf(properties);
        }
    }

    /** MODIFY COLUMN with a new definition. */
    record ModifyColumn(
            ColumnDefinition column,
            @Nullable ColumnPosition position,
            @Nullable String rollup,
            Map<String, String> properties)
            implements AlterTableClause {
        /** Copies the collections. */
        public ModifyColumn {
            properties = ImmutableMap.copyOf(properties);
        }
    }

    /** ORDER BY (columns). */
    record ReorderColumns(List<String> columns, @Nullable String rollup, Map<String, String> properties)
            implements AlterTableClause {
        /** Copies the collections. */
        public ReorderColumns {
            columns = List.copyOf(columns);
            properties = ImmutableMap.copyOf(properties);
        }
    }

    /** RENAME COLUMN. */
    record RenameColumn(String from, String to) implements AlterTableClause {}

    /** RENAME name. */
    record RenameTable(String name) implements AlterTableClause {}

    /** RENAME PARTITION. */
    record RenamePartition(String from, String to) implements AlterTableClause {}

    /** RENAME ROLLUP. */
    record RenameRollup(String from, String to) implements AlterTableClause {}

    /** ADD INDEX. */
    record AddIndex(IndexDefinition index) implements AlterTableClause {}

    /** DROP INDEX. */
    record DropIndex(String name, boolean ifExists) implements AlterTableClause {}

    /** ADD ROLLUP; from names the base rollup of each, null for the table. */
    record AddRollups(List<RollupDefinition> rollups, @Nullable String from) implements AlterTableClause {
        /** Copies the collections. */
        public AddRollups {
            rollups = List.copyOf(rollups);
        }
    }

    /** DROP ROLLUP. */
    record DropRollups(List<String> names) implements AlterTableClause {
        /** Copies the collections. */
        public DropRollups {
            names = List.copyOf(names);
        }
    }

    /** ADD [TEMPORARY] PARTITION or ADD PARTITIONS FROM ... TO. */
    record AddPartition(boolean temporary, PartitionDefinition partition, @Nullable DistributionClause distribution)
            implements AlterTableClause {}

    /** DROP [TEMPORARY] PARTITION. */
    record DropPartition(
            boolean temporary, boolean ifExists, List<String> names, boolean force, @Nullable String fromIndex)
            implements AlterTableClause {
        /** Copies the collections. */
        public DropPartition {
            names = List.copyOf(names);
        }
    }

    /** MODIFY PARTITION p, (a, b) or (*) SET (...). */
    record ModifyPartitions(PartitionSelection partitions, Map<String, String> properties) implements AlterTableClause {
        /** Copies the collections. */
        public ModifyPartitions {
            properties = ImmutableMap.copyOf(properties);
        }
    }

    /** REPLACE PARTITION (a) WITH TEMPORARY PARTITION (b). */
    record ReplacePartitions(
            List<String> partitions, List<String> temporaryPartitions, Map<String, String> properties, boolean force)
            implements AlterTableClause {
        /** Copies the collections. */
        public ReplacePartitions {
            partitions = List.copyOf(partitions);
            temporaryPartitions = List.copyOf(temporaryPartitions);
            properties = ImmutableMap.copyOf(properties);
        }
    }

    /** REPLACE WITH TABLE t. */
    record ReplaceTable(String table, Map<String, String> properties, boolean force) implements AlterTableClause {
        /** Copies the collections. */
        public ReplaceTable {
            properties = ImmutableMap.copyOf(properties);
        }
    }

    /** SET (properties). */
    record SetProperties(Map<String, String> properties) implements AlterTableClause {
        /** Copies the collections. */
        public SetProperties {
            properties = ImmutableMap.copyOf(properties);
        }
    }

    /** ENABLE FEATURE 'name' WITH PROPERTIES. */
    record EnableFeature(String feature, Map<String, String> properties) implements AlterTableClause {
        /** Copies the collections. */
        public EnableFeature {
            properties = ImmutableMap.copyOf(properties);
        }
    }

    /** MODIFY DISTRIBUTION. */
    record ModifyDistribution(DistributionClause distribution) implements AlterTableClause {}

    /** MODIFY COMMENT. */
    record ModifyTableComment(String comment) implements AlterTableClause {}

    /** MODIFY COLUMN c COMMENT. */
    record ModifyColumnComment(String column, String comment) implements AlterTableClause {}

    /** MODIFY ENGINE TO engine. */
    record ModifyEngine(String engine, Map<String, String> properties) implements AlterTableClause {
        /** Copies the collections. */
        public ModifyEngine {
            properties = ImmutableMap.copyOf(properties);
        }
    }

    /** ADD CONSTRAINT. */
    record AddConstraint(String name, ConstraintDefinition constraint) implements AlterTableClause {}

    /** DROP CONSTRAINT. */
    record DropConstraint(String name) implements AlterTableClause {}

    /** MODIFY COLUMN c SET STATS (...). */
    record SetColumnStatistics(
            String column,
            @Nullable String index,
            Map<String, String> statistics,
            @Nullable PartitionSelection partitions)
            implements AlterTableClause {
        /** Copies the collections. */
        public SetColumnStatistics {
            statistics = ImmutableMap.copyOf(statistics);
        }
    }
}
