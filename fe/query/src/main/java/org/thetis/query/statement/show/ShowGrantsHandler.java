// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import java.util.ArrayList;
import java.util.List;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.Grant;
import org.thetis.catalog.object.Privilege;
import org.thetis.catalog.object.User;
import org.thetis.catalog.object.UserIdentity;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.show.ShowGrants;

/** SHOW [ALL] GRANTS [FOR user]. */
public final class ShowGrantsHandler implements StatementHandler<ShowGrants> {
    private final StatementServices services;

    public ShowGrantsHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<ShowGrants> statementType() {
        return ShowGrants.class;
    }

    @Override
    public StatementResult run(ShowGrants statement, StatementContext context) {
        ShowRows rows = new ShowRows(
                "UserIdentity",
                "Comment",
                "Password",
                "Roles",
                "GlobalPrivs",
                "CatalogPrivs",
                "DatabasePrivs",
                "TablePrivs",
                "ColPrivs",
                "ResourcePrivs",
                "CloudClusterPrivs",
                "CloudStagePrivs",
                "StorageVaultPrivs",
                "WorkloadGroupPrivs",
                "ComputeGroupPrivs");
        UserIdentity wanted = statement.user() == null
                ? context.session().identity()
                : new UserIdentity(statement.user().user(), statement.user().host());
        if (statement.all() || !wanted.equals(context.session().identity())) {
            services.access().checkGlobal(context.session().identity(), Privilege.GRANT);
        }
        List<User> users = services.snapshot().users().values().stream()
                .filter(user -> statement.all() || user.identity().equals(wanted))
                .toList();
        if (users.isEmpty()) {
            throw new ThetisException(ErrorCode.ANALYSIS, "User: " + wanted + " does not exist");
        }
        for (User user : users) {
            List<Grant> grants = new ArrayList<>(user.grants());
            user.roles()
                    .forEach(role ->
                            services.snapshot().roles().find(role).ifPresent(known -> grants.addAll(known.grants())));
            GrantTexts texts = GrantTexts.of(grants);
            rows.add(
                    user.identity(),
                    user.comment(),
                    user.passwordHash().isEmpty() ? "No" : "Yes",
                    String.join(",", user.roles()),
                    texts.global(),
                    texts.catalog(),
                    texts.database(),
                    texts.table(),
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null);
        }
        return rows.result();
    }
}
