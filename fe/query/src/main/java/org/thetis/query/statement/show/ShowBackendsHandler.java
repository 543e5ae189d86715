// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.thetis.catalog.object.Backend;
import org.thetis.catalog.object.Privilege;
import org.thetis.cluster.node.BackendState;
import org.thetis.query.result.SizeText;
import org.thetis.query.result.StatementResult;
import org.thetis.query.result.TimeText;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.StatementHandler;
import org.thetis.query.statement.StatementServices;
import org.thetis.sql.ast.show.ShowBackends;

/** SHOW BACKENDS. */
public final class ShowBackendsHandler implements StatementHandler<ShowBackends> {
    private final StatementServices services;

    public ShowBackendsHandler(StatementServices services) {
        this.services = services;
    }

    @Override
    public Class<ShowBackends> statementType() {
        return ShowBackends.class;
    }

    @Override
    public StatementResult run(ShowBackends statement, StatementContext context) {
        services.access().checkGlobal(context.session().identity(), Privilege.ADMIN);
        ShowRows rows = new ShowRows(
                "BackendId",
                "Host",
                "HeartbeatPort",
                "BePort",
                "HttpPort",
                "BrpcPort",
                "ArrowFlightSqlPort",
                "LastStartTime",
                "LastHeartbeat",
                "Alive",
                "SystemDecommissioned",
                "TabletNum",
                "DataUsedCapacity",
                "TrashUsedCapacity",
                "AvailCapacity",
                "TotalCapacity",
                "UsedPct",
                "MaxDiskUsedPct",
                "RemoteUsedCapacity",
                "Tag",
                "ErrMsg",
                "Version",
                "Status",
                "HeartbeatFailureCounter",
                "NodeRole",
                "CpuCores",
                "Memory");
        for (BackendState state : services.nodes().backends()) {
            Backend backend = state.backend();
            long total = state.totalBytes();
            long available = state.availableBytes();
            String used = SizeText.percent(total - available, total);
            rows.add(
                    backend.id(),
                    backend.host(),
                    backend.heartbeatPort(),
                    backend.bePort(),
                    backend.httpPort(),
                    backend.brpcPort(),
                    -1,
                    TimeText.of(state.lastStartMillis()),
                    TimeText.of(state.lastHeartbeatMillis()),
                    state.alive(),
                    backend.decommissioned(),
                    services.replicas().numTablets(backend.id()),
                    SizeText.of(state.usedBytes()),
                    SizeText.of(0),
                    SizeText.of(available),
                    SizeText.of(total),
                    used,
                    maxDiskUse(state),
                    SizeText.of(0),
                    tags(backend),
                    state.error(),
                    state.version(),
                    status(state),
                    state.heartbeatFailures(),
                    "mix",
                    state.numCores(),
                    SizeText.of(state.memoryBytes()));
        }
        return rows.result();
    }

    private static String maxDiskUse(BackendState state) {
        long[] worst = {0, 1};
        state.disks().forEach(disk -> {
            long used = disk.totalBytes() - disk.availableBytes();
            if (disk.totalBytes() > 0 && (double) used / disk.totalBytes() >= (double) worst[0] / worst[1]) {
                worst[0] = used;
                worst[1] = disk.totalBytes();
            }
        });
        return SizeText.percent(worst[0], worst[1]);
    }

    private static String tags(Backend backend) {
        List<String> pairs = new ArrayList<>();
        new TreeMap<>(backend.tags()).forEach((key, value) -> pairs.add("\"" + key + "\" : \"" + value + "\""));
        return "{" + String.join(", ", pairs) + "}";
    }

    private static String status(BackendState state) {
        return "{\"lastSuccessReportTabletsTime\":\"" + TimeText.of(state.lastReportMillis(), "N/A")
                + "\",\"lastStreamLoadTime\":-1,\"isQueryDisabled\":" + !state.isQueryable() + ",\"isLoadDisabled\":"
                + !state.isLoadable() + "}";
    }
}
