// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.point;

/** Ends the planning of a look-up: the query is none, and the message says why. Costs no stack trace. */
final class NotByKey extends RuntimeException {
    private static final long serialVersionUID = 1;

    NotByKey(String reason) {
        super(reason, null, false, false);
    }
}
