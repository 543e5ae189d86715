// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.session;

import org.thetis.base.error.ThetisException;

/** One line of SHOW WARNINGS. */
public record SqlWarning(String level, int code, String message) {
    public static SqlWarning of(String message) {
        return new SqlWarning("Warning", 1105, message);
    }

    /** The error that ended a statement. */
    public static SqlWarning error(ThetisException failure) {
        return new SqlWarning("Error", failure.code().mysqlCode(), failure.text());
    }

    public boolean isError() {
        return level.equals("Error");
    }
}
