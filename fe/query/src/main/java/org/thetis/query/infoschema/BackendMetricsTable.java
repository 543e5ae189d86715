// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.infoschema;

import java.util.List;
import org.thetis.base.metrics.MetricRegistry;
import org.thetis.catalog.object.Backend;
import org.thetis.catalog.object.Privilege;
import org.thetis.catalog.object.Scope;
import org.thetis.catalog.type.DataType;
import org.thetis.cluster.node.BackendState;
import org.thetis.sql.binder.ResolvedTable;
import org.thetis.sql.expr.Literal;

/** What /metrics of every back end says now, for administrators; the row `up` of one that does not answer in time is 0. */
public final class BackendMetricsTable implements SchemaTable {
    private static final List<ResolvedTable.Column> COLUMNS =
            SchemaRows.columns("BACKEND_ID bigint", "HOST", "NAME", "LABELS", "TYPE", "VALUE double", "DESCRIPTION");

    @Override
    public String name() {
        return "backend_metrics";
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
        List<Backend> backends = context.services().nodes().backends().stream()
                .map(BackendState::backend)
                .toList();
        List<List<MetricRegistry.Sample>> all =
                context.services().backendMetrics().read(backends);
        for (int i = 0; i < backends.size(); i++) {
            Backend backend = backends.get(i);
            List<MetricRegistry.Sample> samples = all.get(i);
            add(
                    rows,
                    backend,
                    new MetricRegistry.Sample(
                            "up", "gauge", "", samples.isEmpty() ? 0 : 1, "Whether the back end said its metrics."));
            samples.forEach(sample -> add(rows, backend, sample));
        }
        return rows.rows();
    }

    private static void add(SchemaRows rows, Backend backend, MetricRegistry.Sample sample) {
        rows.add(
                backend.id(),
                backend.host(),
                sample.name(),
                sample.labels(),
                sample.type(),
                new Literal(sample.value(), DataType.DOUBLE),
                sample.help());
    }
}
