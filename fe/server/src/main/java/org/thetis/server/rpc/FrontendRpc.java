// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.rpc;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
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
        RegisterBackendReply reply = new RegisterBackendReply();
        reply.setStatus(guard("register_backend", () -> reply.setBackend_id(nodes.registerBackend(
                request.getHost(),
                request.getHeartbeat_port(),
                request.getCluster_id(),
                request.isSetToken() ? request.getToken() : ""))));
        return reply;
    }

    @Override
    public StatusReply report(ReportRequest request) {
        return guard("report", () -> reports.report(request));
    }

    @Override
    public LoadBeginReply load_begin(LoadBeginRequest request) {
        AtomicReference<LoadBeginReply> reply = new AtomicReference<>(new LoadBeginReply());
        StatusReply status = guard("load_begin", () -> reply.set(loads.begin(request, login(request.getAuth()))));
        // A label in use is told by the reply itself.
        return status.getCode() == 0 ? reply.get() : reply.get().setStatus(status);
    }

    @Override
    public LoadCommitReply load_commit(LoadCommitRequest request) {
        AtomicReference<LoadCommitReply> reply = new AtomicReference<>(new LoadCommitReply());
        StatusReply status = guard("load_commit", () -> {
            login(request.getAuth());
            reply.set(loads.commit(request));
        });
        return reply.get().setStatus(status);
    }

    @Override
    public StatusReply load_abort(LoadAbortRequest request) {
        return guard("load_abort", () -> {
            login(request.getAuth());
            loads.abort(request);
        });
    }

    @Override
    public LoadFinishReply load_finish(LoadFinishRequest request) {
        return new LoadFinishReply(guard("load_finish", () -> loads.finish(request, login(request.getAuth()))));
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
        return Optional.of(authenticator.byPassword(auth.getUser(), host, auth.getPassword()).identity());
    }

    private static StatusReply guard(String call, Runnable work) {
        try {
            work.run();
            return new StatusReply(0);
        } catch (ThetisException failure) {
            return new StatusReply(failure.code().number()).setMessage(failure.text());
        } catch (RuntimeException bug) {
            LOG.error("call failed unexpectedly call={}", call, bug);
            return new StatusReply(ErrorCode.INTERNAL.number()).setMessage("internal error: " + bug.getMessage());
        }
    }
}
