// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.privilege;

import java.util.List;

/** One privilege with its columns, if any; the name is upper-case. */
public record PrivilegeItem(String name, List<String> columns) {
    /** Copies the collections. */
    public PrivilegeItem {
        columns = List.copyOf(columns);
    }
}
