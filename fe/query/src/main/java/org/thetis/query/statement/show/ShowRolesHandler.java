// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import java.util.List;
import org.thetis.catalog.object.Privilege;
import org.thetis.catalog.object.Role;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.show.ShowRoles;

/** SHOW ROLES. */
public final class ShowRolesHandler implements StatementHandler<ShowRoles> {
    private final StatementServices services;

    public ShowRolesHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<ShowRoles> statementType() {
        return ShowRoles.class;
    }

    @Override
    public StatementResult run(ShowRoles statement, StatementContext context) {
        services.access().checkGlobal(context.session().identity(), Privilege.GRANT);
        ShowRows rows = new ShowRows(
                "Name",
                "Comment",
                "Users",
                "GlobalPrivs",
                "CatalogPrivs",
                "DatabasePrivs",
                "TablePrivs",
                "ResourcePrivs");
        for (Role role : services.snapshot().roles().values()) {
            List<String> users = services.snapshot().users().values().stream()
                    .filter(user -> user.roles().contains(role.name()))
                    .map(user -> user.identity().toString())
                    .toList();
            GrantTexts grants = GrantTexts.of(role.grants());
            rows.add(
                    role.name(),
                    role.comment(),
                    String.join(", ", users),
                    grants.global(),
                    grants.catalog(),
                    grants.database(),
                    grants.table(),
                    null);
        }
        return rows.result();
    }
}
