// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.load;

import org.thetis.catalog.object.OlapTable;
import org.thetis.query.session.StatementContext;
import org.thetis.sql.lower.LoadTransaction;
import org.thetis.wire.thrift.FragmentPlan;

/** Plans the one fragment a stream load runs: the body's text to table columns to the table's tablets. Thread-safe. */
@FunctionalInterface
public interface StreamLoadPlanner {
    /** Fails with a user error when the headers do not fit the table. */
    FragmentPlan plan(
            StatementContext context,
            String database,
            OlapTable table,
            LoadHeaders headers,
            LoadTransaction transaction);
}
