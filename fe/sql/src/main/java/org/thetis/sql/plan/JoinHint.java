// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

/** What the statement asks of a join's distribution. */
public enum JoinHint {
    NONE,
    BROADCAST,
    SHUFFLE
}
