// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.object;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;

/** A right, with the name GRANT and SHOW GRANTS use. */
public enum Privilege {
    NODE("Node_priv"),
    ADMIN("Admin_priv"),
    GRANT("Grant_priv"),
    SELECT("Select_priv"),
    LOAD("Load_priv"),
    ALTER("Alter_priv"),
    CREATE("Create_priv"),
    DROP("Drop_priv"),
    USAGE("Usage_priv"),
    SHOW_VIEW("Show_view_priv"),
    CLUSTER_USAGE("Cluster_usage_priv"),
    STAGE_USAGE("Stage_usage_priv");

    private final String sql;

    Privilege(String sql) {
        this.sql = sql;
    }

    public String sql() {
        return sql;
    }

    /** What ALL stands for: everything but running the cluster. */
    public static Set<Privilege> all() {
        return EnumSet.of(SELECT, LOAD, ALTER, CREATE, DROP, SHOW_VIEW);
    }

    /** By either name (`SELECT_PRIV`, `SELECT`), whatever the case; ALL is not one privilege and fails here. */
    public static Privilege parse(String name) {
        String wanted = name.toUpperCase(Locale.ROOT);
        for (Privilege privilege : values()) {
            if (wanted.equals(privilege.name()) || wanted.equals(privilege.sql.toUpperCase(Locale.ROOT))) {
                return privilege;
            }
        }
        throw new ThetisException(ErrorCode.INVALID_ARGUMENT, "Unknown privilege: " + name);
    }
}
