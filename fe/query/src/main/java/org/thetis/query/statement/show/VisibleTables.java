// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import java.util.Optional;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.Scope;
import org.thetis.catalog.object.Table;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.ObjectName;
import org.thetis.query.statement.StatementServices;

/** Looks tables up for SHOW, with the right to see them. */
final class VisibleTables {
    private VisibleTables() {}

    /** Fails when the table is unknown or the user has no right on it at all. */
    static Table get(StatementServices services, StatementContext context, ObjectName name) {
        Table table = table(services, name);
        if (!services.access().canSee(context.session().identity(), Scope.table(name.database(), name.name()))) {
            throw new ThetisException(
                    ErrorCode.ACCESS_DENIED_TABLE,
                    "SHOW command denied to user " + context.session().identity() + " for table '" + name.database()
                            + ": " + name.name() + "'");
        }
        return table;
    }

    /** Clients that ask whether a table exists look for MySQL's number of its absence. */
    private static Table table(StatementServices services, ObjectName name) {
        try {
            return services.snapshot().getTable(name.database(), name.name());
        } catch (ThetisException failure) {
            throw failure.code() == ErrorCode.UNKNOWN_TABLE
                    ? new ThetisException(ErrorCode.NO_SUCH_TABLE, failure.text(), failure)
                    : failure;
        }
    }

    static OlapTable getStored(StatementServices services, StatementContext context, ObjectName name) {
        get(services, context, name);
        return services.snapshot().getDatabase(name.database()).getOlapTable(name.name());
    }

    /** Empty for a table of a built-in database. */
    static Optional<Table> find(StatementServices services, StatementContext context, ObjectName name) {
        return services.schemaTables().isBuiltIn(name.database())
                ? Optional.empty()
                : Optional.of(get(services, context, name));
    }
}
