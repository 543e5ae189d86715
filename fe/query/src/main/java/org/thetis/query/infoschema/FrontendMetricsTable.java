// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.infoschema;

import java.util.List;
import org.thetis.base.metrics.MetricRegistry;
import org.thetis.catalog.object.Privilege;
import org.thetis.catalog.object.Scope;
import org.thetis.catalog.type.DataType;
import org.thetis.sql.binder.ResolvedTable;
import org.thetis.sql.expr.Literal;

/** What /metrics of this front end says, for administrators. */
public final class FrontendMetricsTable implements SchemaTable {
    private static final List<ResolvedTable.Column> COLUMNS =
            SchemaRows.columns("FE", "NAME", "LABELS", "TYPE", "VALUE double", "DESCRIPTION");

    @Override
    public String name() {
        return "frontend_metrics";
    }

    @Override
    public List<ResolvedTable.Column> columns() {
        return COLUMNS;
    }

    @Override
    public List<List<Literal>> rows(SchemaTableContext context) {
        SchemaRows rows = new SchemaRows(COLUMNS);
        if (!context.catalog()
                .accessChecker()
                .has(context.statement().session().identity(), Scope.GLOBAL, Privilege.ADMIN)) {
            return rows.rows();
        }
        String host = context.services().server().host();
        for (MetricRegistry.Sample sample : context.services().metrics().samples()) {
            rows.add(
                    host,
                    sample.name(),
                    sample.labels(),
                    sample.type(),
                    new Literal(sample.value(), DataType.DOUBLE),
                    sample.help());
        }
        return rows.rows();
    }
}
