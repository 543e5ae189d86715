// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.alter;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.schema.PartitionDefinition;
import org.thetis.catalog.schema.SchemaColumn;

/** Changes to tables and views. Privileges are checked by the caller. Unknown names fail with the nearest known one. */
public interface TableCommands {
    /** Creates a table with its tablets; gives false when it exists and `ifNotExists`. Waits for the back ends. */
    boolean create(CreateTableRequest request);

    /** Creates an empty table with the definition of another; gives false when it exists and `ifNotExists`. */
    boolean createLike(String database, String table, boolean ifNotExists, String likeDatabase, String likeTable);

    /** Gives whether there was one. Fails with UNKNOWN_TABLE_TO_DROP, or NOT_OLAP_TABLE when it is a view. */
    boolean drop(String database, String table, boolean ifExists, boolean force);

    /** Empties the table, or the named partitions of it. */
    void truncate(String database, String table, List<String> partitions);

    void rename(String database, String table, String newName);

    /** ALTER TABLE RENAME COLUMN. */
    void renameColumn(String database, String table, String column, String newName);

    void setComment(String database, String table, String comment);

    void setColumnComment(String database, String table, String column, String comment);

    /** ALTER TABLE SET: properties that need no work on back ends; others fail with NOT_SUPPORTED. */
    void setProperties(String database, String table, Map<String, String> properties);

    /**
     * Adds partitions; existing names fail unless their definition says IF NOT EXISTS.
     *
     * @param distribution of the new partitions; null for the table's
     */
    void addPartitions(
            String database,
            String table,
            List<PartitionDefinition> partitions,
            boolean temporary,
            CreateTableRequest.@Nullable DistributionRequest distribution);

    /** Drops partitions together; unknown names fail unless `ifExists`. Temporary ones cannot be recovered. */
    void dropPartitions(
            String database, String table, List<String> partitions, boolean ifExists, boolean temporary, boolean force);

    /**
     * REPLACE PARTITION: temporary partitions take the place of others.
     *
     * @param strictRange whether both must cover the same values
     * @param useTemporaryNames whether they keep their names; else they get the old ones where there are as many
     */
    void replacePartitions(
            String database,
            String table,
            List<String> partitions,
            List<String> temporaryPartitions,
            boolean strictRange,
            boolean useTemporaryNames,
            boolean force);

    /** Makes empty temporary partitions beside the named ones (or all): the target of an INSERT OVERWRITE. */
    Overwrite beginOverwrite(String database, String table, List<String> partitions);

    /** The temporary partitions take the place of the old ones in one step. */
    void finishOverwrite(Overwrite overwrite);

    /** Drops the temporary partitions again; never fails. */
    void abandonOverwrite(Overwrite overwrite);

    void renamePartition(String database, String table, String partition, String newName);

    /** ALTER TABLE MODIFY PARTITION SET; an empty list of names means all. */
    void setPartitionProperties(String database, String table, List<String> partitions, Map<String, String> properties);

    /** MODIFY DISTRIBUTION: for partitions to come. */
    void setDefaultBuckets(String database, String table, CreateTableRequest.DistributionRequest distribution);

    /** REPLACE WITH TABLE: the two change names; without `swap` the one that was replaced is dropped. */
    void replaceTable(String database, String table, String replacement, boolean swap);

    /** Creates a view; gives false when it exists and `ifNotExists`; with `orReplace` an existing view is redefined. */
    boolean createView(
            String database,
            String view,
            boolean ifNotExists,
            boolean orReplace,
            List<SchemaColumn> columns,
            String query,
            String comment);

    void alterView(String database, String view, List<SchemaColumn> columns, String query, String comment);

    /** Gives whether there was one; fails when the name is that of a table. */
    boolean dropView(String database, String view, boolean ifExists);
}
