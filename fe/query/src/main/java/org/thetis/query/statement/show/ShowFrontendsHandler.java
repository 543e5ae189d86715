// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import java.nio.file.Path;
import org.thetis.catalog.object.Frontend;
import org.thetis.catalog.object.Privilege;
import org.thetis.cluster.node.FrontendState;
import org.thetis.query.result.SizeText;
import org.thetis.query.result.StatementResult;
import org.thetis.query.result.TimeText;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.show.ShowFrontends;

/** SHOW FRONTENDS [DISKS]. */
public final class ShowFrontendsHandler implements StatementHandler<ShowFrontends> {
    private final StatementServices services;

    public ShowFrontendsHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<ShowFrontends> statementType() {
        return ShowFrontends.class;
    }

    @Override
    public StatementResult run(ShowFrontends statement, StatementContext context) {
        services.access().checkGlobal(context.session().identity(), Privilege.ADMIN);
        return statement.disks() ? disks() : nodes();
    }

    private StatementResult nodes() {
        ShowRows rows = new ShowRows(
                "Name",
                "Host",
                "EditLogPort",
                "HttpPort",
                "QueryPort",
                "RpcPort",
                "ArrowFlightSqlPort",
                "Role",
                "IsMaster",
                "ClusterId",
                "Join",
                "Alive",
                "ReplayedJournalId",
                "LastStartTime",
                "LastHeartbeat",
                "IsHelper",
                "ErrMsg",
                "Version",
                "CurrentConnected");
        for (FrontendState state : services.nodes().frontends()) {
            Frontend frontend = state.frontend();
            rows.add(
                    frontend.name(),
                    frontend.host(),
                    frontend.editLogPort(),
                    frontend.httpPort(),
                    frontend.queryPort(),
                    frontend.rpcPort(),
                    -1,
                    frontend.role(),
                    state.leader(),
                    services.nodes().clusterId(),
                    "true",
                    state.alive(),
                    state.replayedJournalId(),
                    TimeText.of(state.lastStartMillis()),
                    TimeText.of(state.lastHeartbeatMillis()),
                    "true",
                    state.error(),
                    services.server().versionText(),
                    state.self() ? "Yes" : "No");
        }
        return rows.result();
    }

    private StatementResult disks() {
        ShowRows rows = new ShowRows(
                "Name", "Host", "DirType", "Dir", "Filesystem", "Capacity", "Used", "Available", "UseRate", "MountOn");
        for (FrontendState state : services.nodes().frontends()) {
            if (state.self()) {
                DiskUse meta = DiskUse.of(Path.of(services.config().getString("meta_dir")));
                rows.add(
                        state.frontend().name(),
                        state.frontend().host(),
                        "meta",
                        meta.directory(),
                        meta.fileSystem(),
                        SizeText.of(meta.totalBytes()),
                        SizeText.of(meta.usedBytes()),
                        SizeText.of(meta.availableBytes()),
                        SizeText.percent(meta.usedBytes(), meta.totalBytes()),
                        meta.fileSystem());
            }
        }
        return rows.result();
    }
}
