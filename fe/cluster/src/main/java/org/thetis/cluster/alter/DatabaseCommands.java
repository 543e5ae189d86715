// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.alter;

import java.util.Map;

/** Changes to databases. Privileges are checked by the caller. */
public interface DatabaseCommands {
    /** Gives whether it was created; an existing one fails with DATABASE_EXISTS unless `ifNotExists`. */
    boolean create(String name, boolean ifNotExists, Map<String, String> properties);

    /** Gives whether there was one; a missing one fails with DROP_UNKNOWN_DATABASE unless `ifExists`. `force`: even with running loads. */
    boolean drop(String name, boolean ifExists, boolean force);

    void rename(String name, String newName);

    /** Adds or replaces properties; quotas are the properties `data_quota`, `replica_quota`, `transaction_quota`. */
    void setProperties(String name, Map<String, String> properties);
}
