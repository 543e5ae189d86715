// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.stats;

import java.util.OptionalLong;

/** Row counts of tablets as back ends last reported them. */
public interface TableRows {
    /** Rows of a tablet; empty when no report came yet. */
    OptionalLong rows(long tabletId);
}
