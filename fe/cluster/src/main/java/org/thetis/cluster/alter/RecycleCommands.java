// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.alter;

import org.jspecify.annotations.Nullable;

/** What was dropped comes back. The newest of a name is taken unless an id is given; `newName` is null to keep the name. */
public interface RecycleCommands {
    void recoverDatabase(String name, @Nullable Long id, @Nullable String newName);

    void recoverTable(String database, String name, @Nullable Long id, @Nullable String newName);

    void recoverPartition(String database, String table, String name, @Nullable Long id, @Nullable String newName);
}
