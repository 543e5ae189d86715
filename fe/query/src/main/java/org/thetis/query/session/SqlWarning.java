// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.session;

/** One line of SHOW WARNINGS. */
public record SqlWarning(String level, int code, String message) {
    public static SqlWarning of(String message) {
        return new SqlWarning("Warning", 1105, message);
    }
}
