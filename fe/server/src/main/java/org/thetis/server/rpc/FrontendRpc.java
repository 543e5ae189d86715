// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.rpc;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.UserIdentity;
import org.thetis.cluster.node.NodeService;
import org.thetis.cluster.tablet.TabletReports;
import org.thetis.query.load.StreamLoads;
import org.thetis.server.auth.Authenticator;
import org.thetis.wire.thrift.FrontendService;
import org.thetis.wire.thrift.LoadAbortRequest;
import org.thetis.wire.thrift.LoadAuth;
import org.thetis.wire.thrift.LoadBeginReply;
import org.thetis.wire.thrift.LoadBeginRequest;
import org.thetis.wire.thrift.LoadCommitReply;
import org.thetis.wire.thrift.LoadCommitRequest;
import org.thetis.wire.thrift.LoadFinishReply;
import org.thetis.wire.thrift.LoadFinishRequest;
import org.thetis.wire.thrift.RegisterBackendReply;
import org.thetis.wire.thrift.RegisterBackendRequest;
import org.thetis.wire.thrift.ReportRequest;
import org.thetis.wire.thrift.StatusReply;

/** Answers back ends. Failures travel as status codes; nothing is thrown into the transport. */
public final class FrontendRpc implements FrontendService.Iface {
    private static final Logger LOG = LoggerFactory.getLogger(FrontendRpc.class);

    private final NodeService nodes;
    private final TabletReports reports;
    private final StreamLoads loads;
    private final Authenticator authenticator;

    public FrontendRpc(NodeService nodes, TabletReports reports, StreamLoads loads, Authenticator authenticator) {
        this.nodes = nodes;
        this.reports = reports;
        this.loads = loads;
        this.authenticator = authenticator;
    }

    @Override
    public RegisterBackendReply register_backend(RegisterBackendRequest request) {
        return answer("register_backend", RegisterBackendReply::new, () -> {
            long id = nodes.registerBackend(
                    request.getHost(),
                    request.getHeartbeat_port(),
                    request.getCluster_id(),
                    request.isSetToken() ? request.getToken() : "");
            return new RegisterBackendReply(new StatusReply(0)).setBackend_id(id);
        });
    }

    @Override
    public StatusReply report(ReportRequest request) {
        return answer("report", status -> status, () -> {
            reports.report(request);
            return new StatusReply(0);
        });
    }

    @Override
    public LoadBeginReply load_begin(LoadBeginRequest request) {
        return answer("load_begin", LoadBeginReply::new, () -> loads.begin(request, login(request.getAuth())));
    }

    @Override
    public LoadCommitReply load_commit(LoadCommitRequest request) {
        return answer("load_commit", LoadCommitReply::new, () -> {
            login(request.getAuth());
            return loads.commit(request);
        });
    }

    @Override
    public StatusReply load_abort(LoadAbortRequest request) {
        return answer("load_abort", status -> status, () -> {
            login(request.getAuth());
            loads.abort(request);
            return new StatusReply(0);
        });
    }

    @Override
    public LoadFinishReply load_finish(LoadFinishRequest request) {
        return answer("load_finish", LoadFinishReply::new, () -> {
            loads.finish(request, login(request.getAuth()));
            return new LoadFinishReply(new StatusReply(0));
        });
    }

    /** The user of a load; empty when the cluster's token speaks for it. */
    private Optional<UserIdentity> login(LoadAuth auth) {
        if (auth.isSetToken() && !auth.getToken().isEmpty()) {
            if (!auth.getToken().equals(nodes.token())) {
                throw new ThetisException(ErrorCode.ACCESS_DENIED, "Invalid token");
            }
            return Optional.empty();
        }
        String host = auth.isSetClient_host() ? auth.getClient_host() : "";
        return Optional.of(authenticator
                .byPassword(auth.getUser(), host, auth.getPassword())
                .identity());
    }

    /** Runs a call; a failure becomes the reply that `failed` makes of its status. */
    private static <T> T answer(String call, Function<StatusReply, T> failed, Supplier<T> work) {
        try {
            return work.get();
        } catch (ThetisException failure) {
            return failed.apply(new StatusReply(failure.code().number()).setMessage(failure.text()));
        } catch (RuntimeException bug) {
            LOG.error("call failed unexpectedly call={}", call, bug);
            return failed.apply(
                    new StatusReply(ErrorCode.INTERNAL.number()).setMessage("internal error: " + bug.getMessage()));
        }
    }
}
