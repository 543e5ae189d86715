// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import org.thetis.query.result.StatementResult;
import org.thetis.query.session.Session;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.StatementHandler;
import org.thetis.sql.ast.show.ShowCatalogs;

/** SHOW CATALOGS: the internal one. */
public final class ShowCatalogsHandler implements StatementHandler<ShowCatalogs> {
    @Override
    public Class<ShowCatalogs> statementType() {
        return ShowCatalogs.class;
    }

    @Override
    public StatementResult run(ShowCatalogs statement, StatementContext context) {
        return new ShowRows("CatalogId", "CatalogName", "Type", "IsCurrent", "CreateTime", "LastUpdateTime", "Comment")
                .add(0, Session.INTERNAL_CATALOG, "internal", "yes", "UNRECORDED", null, "Doris internal catalog")
                .result(statement.filter(), 1);
    }
}
