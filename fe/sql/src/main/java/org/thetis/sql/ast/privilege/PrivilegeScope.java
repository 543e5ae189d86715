// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.privilege;

import java.util.List;

/**
 * ON what: kind is TABLE, RESOURCE, WORKLOAD GROUP, COMPUTE GROUP, CLUSTER, STAGE or STORAGE VAULT; name parts may
 * be "*".
 */
public record PrivilegeScope(String kind, List<String> name) {
    /** Copies the collections. */
    public PrivilegeScope {
        name = List.copyOf(name);
    }
}
