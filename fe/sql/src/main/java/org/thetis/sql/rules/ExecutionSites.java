// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules;

import org.thetis.sql.plan.Distribution;
import org.thetis.sql.plan.LogicalScan;

/** Where a statement runs, as far as rules need to know. Asked only after partitions are pruned. */
public interface ExecutionSites {
    /** How many back ends take part; 1 means that no exchange is needed anywhere. */
    int numBackends();

    /** How a scan's rows are spread. */
    Distribution distribution(LogicalScan scan);
}
