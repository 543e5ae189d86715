// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.privilege;

import com.google.common.collect.ImmutableMap;
import java.util.Map;

/**
 * Password and account options by upper-case name, such as FAILED_LOGIN_ATTEMPTS; values in seconds or counts, -1
 * for DEFAULT or UNBOUNDED.
 */
public record PasswordPolicy(Map<String, Long> options) {
    /** Copies the collections. */
    public PasswordPolicy {
        options = ImmutableMap.copyOf(options);
    }
}
