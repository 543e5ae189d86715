// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.admin;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.Privilege;
import org.thetis.query.result.StatementResult;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.admin.AlterSystem;
import org.thetis.sql.ast.admin.AlterSystemClause;

/** ALTER SYSTEM: back ends join, leave, are drained and tagged. */
public final class AlterSystemHandler implements StatementHandler<AlterSystem> {
    private final StatementServices services;

    public AlterSystemHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<AlterSystem> statementType() {
        return AlterSystem.class;
    }

    @Override
    public StatementResult run(AlterSystem statement, StatementContext context) {
        services.access().checkGlobal(context.session().identity(), Privilege.NODE);
        AlterSystemClause clause = statement.clause();
        if (clause instanceof AlterSystemClause.AddBackends add) {
            add.hosts().stream().map(HostPort::parse).toList().forEach(node -> {
                services.nodes().addBackend(node.host(), node.port());
                Map<String, String> tags = tags(add.properties());
                if (!tags.isEmpty()) {
                    services.nodes().tagBackend(node.host(), node.port(), tags);
                }
            });
        } else if (clause instanceof AlterSystemClause.DropBackends drop) {
            if (!drop.force()) {
                throw new ThetisException(
                        ErrorCode.ANALYSIS,
                        "It is highly NOT RECOMMENDED to use DROP BACKEND stmt. It is not safe to directly drop a backend. "
                                + "All data on this backend will be discarded permanently. If you insist, use DROPP instead of DROP");
            }
            drop.hosts().stream().map(HostPort::parse).toList().forEach(node -> services.nodes()
                    .dropBackend(node.host(), node.port()));
        } else if (clause instanceof AlterSystemClause.DecommissionBackends decommission) {
            decommission.hosts().stream().map(HostPort::parse).toList().forEach(node -> services.nodes()
                    .decommissionBackend(node.host(), node.port(), true));
        } else if (clause instanceof AlterSystemClause.ModifyBackends modify) {
            Map<String, String> tags = tags(modify.properties());
            if (tags.isEmpty()) {
                throw ThetisException.notSupported(
                        "ALTER SYSTEM MODIFY BACKEND SET " + modify.properties().keySet());
            }
            modify.hosts().stream().map(HostPort::parse).toList().forEach(node -> services.nodes()
                    .tagBackend(node.host(), node.port(), tags));
        } else {
            String words = clause.getClass()
                    .getSimpleName()
                    .replaceAll("(?<=[a-z])(?=[A-Z])", " ")
                    .toUpperCase(Locale.ROOT);
            throw ThetisException.notSupported("ALTER SYSTEM " + words);
        }
        return StatementResult.Done.NOTHING;
    }

    /** Properties of the form tag.location. */
    private static Map<String, String> tags(Map<String, String> properties) {
        Map<String, String> tags = new TreeMap<>();
        properties.forEach((key, value) -> {
            if (key.startsWith("tag.")) {
                tags.put(key.substring("tag.".length()), value);
            }
        });
        return tags;
    }
}
