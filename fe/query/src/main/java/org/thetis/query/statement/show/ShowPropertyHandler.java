// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import java.util.Map;
import java.util.TreeMap;
import org.thetis.catalog.object.Privilege;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.show.ShowProperty;

/** SHOW PROPERTY [FOR user]: limits of a user. */
public final class ShowPropertyHandler implements StatementHandler<ShowProperty> {
    private final StatementServices services;

    public ShowPropertyHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<ShowProperty> statementType() {
        return ShowProperty.class;
    }

    @Override
    public StatementResult run(ShowProperty statement, StatementContext context) {
        String name = statement.user() == null ? context.session().identity().name() : statement.user();
        if (!name.equals(context.session().identity().name())) {
            services.access().checkGlobal(context.session().identity(), Privilege.GRANT);
        }
        Map<String, String> properties = new TreeMap<>(DEFAULTS);
        services.snapshot().users().values().stream()
                .filter(user -> user.identity().name().equals(name))
                .forEach(user -> properties.putAll(user.properties()));
        ShowRows rows = new ShowRows("Key", "Value");
        properties.forEach(rows::add);
        return rows.result(statement.filter());
    }

    private static final Map<String, String> DEFAULTS = Map.of(
            "max_user_connections",
            "100",
            "max_query_instances",
            "-1",
            "parallel_fragment_exec_instance_num",
            "-1",
            "cpu_resource_limit",
            "-1",
            "exec_mem_limit",
            "-1",
            "query_timeout",
            "-1",
            "insert_timeout",
            "-1",
            "default_workload_group",
            "normal");
}
