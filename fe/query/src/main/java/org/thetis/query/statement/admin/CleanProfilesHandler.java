// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.admin;

import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.StatementHandler;
import org.thetis.sql.ast.admin.CleanProfiles;

/** CLEAN ALL PROFILE: profiles are not kept, so there is nothing to clean. */
public final class CleanProfilesHandler implements StatementHandler<CleanProfiles> {
    @Override
    public Class<CleanProfiles> statementType() {
        return CleanProfiles.class;
    }

    @Override
    public StatementResult run(CleanProfiles statement, StatementContext context) {
        return StatementResult.Done.NOTHING;
    }
}
