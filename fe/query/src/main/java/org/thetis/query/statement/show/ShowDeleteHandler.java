// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.ObjectName;
import org.thetis.query.statement.StatementHandler;
import org.thetis.sql.ast.show.ShowDelete;

/** SHOW DELETE: finished predicate deletes, of which there are none yet. */
public final class ShowDeleteHandler implements StatementHandler<ShowDelete> {
    @Override
    public Class<ShowDelete> statementType() {
        return ShowDelete.class;
    }

    @Override
    public StatementResult run(ShowDelete statement, StatementContext context) {
        ObjectName.databaseOrCurrent(statement.database(), context);
        return new ShowRows("TableName", "PartitionName", "CreateTime", "DeleteCondition", "State").result();
    }
}
