// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.alter;

import java.util.List;
import org.thetis.catalog.object.AlterJob;

/** Changes of a table's columns. Privileges are checked by the caller. */
public interface SchemaChangeCommands {
    /**
     * Applies the changes together: at once when files can stay as they are, else by a job that goes on after this returns. Fails,
     * changing nothing, when one of them is not allowed or a job of the table is under way.
     */
    void change(String database, String table, List<ColumnChange> changes);

    /** How many tablets of a running job are converted, as `3/10`; `N/A` when that is not known. */
    String progress(AlterJob job);

    /** Gives up the table's job, or those of the given ids; fails when there is none. */
    void cancel(String database, String table, List<Long> jobIds);
}
