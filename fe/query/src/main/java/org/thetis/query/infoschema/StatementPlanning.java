// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.infoschema;

import org.thetis.catalog.snapshot.CatalogSnapshot;
import org.thetis.query.schedule.PlannerContexts;
import org.thetis.query.session.SessionView;
import org.thetis.query.session.StatementContext;
import org.thetis.sql.lower.PlannerContext;

/** Gives each statement one catalog snapshot, its session, the live back ends and its variables to plan with. */
public final class StatementPlanning implements PlannerContexts {
    private final SchemaServices services;
    private final SchemaTableDirectory schemaTables;

    public StatementPlanning(SchemaServices services, SchemaTableDirectory schemaTables) {
        this.services = services;
        this.schemaTables = schemaTables;
    }

    @Override
    public PlannerContext create(StatementContext statement) {
        CatalogSnapshot snapshot = services.catalog().snapshot();
        SchemaTableContext context = new SchemaTableContext(snapshot, statement, services);
        return new PlannerContext(
                new CatalogTables(context, schemaTables),
                new SessionView(statement, services.server().mysqlVersion()),
                services.cluster(),
                statement.parameters(),
                statement.variables().changes());
    }
}
