// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.point;

import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import io.netty.util.collection.LongObjectHashMap;
import io.netty.util.collection.LongObjectMap;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.schema.Replica;
import org.thetis.catalog.schema.Tablet;
import org.thetis.sql.point.PointCall;
import org.thetis.sql.point.PointPlan;
import org.thetis.wire.BackendAddress;
import org.thetis.wire.RpcFailures;
import org.thetis.wire.lookup.KeysOfTablet;
import org.thetis.wire.lookup.LookupBody;
import org.thetis.wire.lookup.LookupCall;
import org.thetis.wire.lookup.LookupClient;
import org.thetis.wire.lookup.LookupReplyHead;

/**
 * One look-up: one call per back end, another replica for what failed in passing, one end. When every replica of a tablet was
 * tried it waits a little before it tries them again, since a version that is visible may still be on its way to the last replica. Lives
 * on its event loop.
 */
public final class PointLookup {
    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final PointLookups shared;
    private final EventLoop loop;
    private final LookupClient client;
    private final PointPlan plan;
    private final PointCall call;
    private final boolean binaryRows;
    private final PointReceiver receiver;
    private final long deadlineNanos;
    private int open;
    private int retriesLeft;
    private long pauseNanos = FIRST_PAUSE_NANOS;
    private boolean over;
    private @Nullable Set<Long> failedBackends;

    PointLookup(
            PointLookups shared,
            EventLoop loop,
            LookupClient client,
            PointPlan plan,
            PointCall call,
            boolean binaryRows,
            PointReceiver receiver) {
        this.shared = shared;
        this.loop = loop;
        this.client = client;
        this.plan = plan;
        this.call = call;
        this.binaryRows = binaryRows;
        this.receiver = receiver;
        long now = System.nanoTime();
        QueryableBackends.View backends = shared.backends.now(now);
        this.deadlineNanos = now + backends.timeoutNanos();
        this.retriesLeft = backends.retries();
    }

    /** Nobody waits any more: the receiver hears nothing from now on. Replies still in flight are dropped. */
    public void abandon() {
        over = true;
    }

    /** Sends the calls. The receiver may hear the end before this returns, when nothing is to be asked or nobody can be. */
    public void start() {
        if (call.isEmpty()) {
            over = true;
            receiver.onEnd();
            return;
        }
        send(call.tablets(), null);
    }

    /** @param earlier why these tablets were asked before without success */
    private void send(List<PointCall.TabletCall> tablets, @Nullable ThetisException earlier) {
        QueryableBackends.View backends = shared.backends.now(System.nanoTime());
        if (tablets.size() == 1) {
            PointCall.TabletCall only = tablets.get(0);
            BackendAddress backend = choose(backends, only);
            if (backend == null) {
                noReplica(tablets, only, earlier);
                return;
            }
            send(backend, tablets);
            return;
        }
        LongObjectHashMap<List<PointCall.TabletCall>> byBackend = new LongObjectHashMap<>();
        LongObjectHashMap<BackendAddress> addresses = new LongObjectHashMap<>();
        for (PointCall.TabletCall tablet : tablets) {
            BackendAddress backend = choose(backends, tablet);
            if (backend == null) {
                noReplica(tablets, tablet, earlier);
                return;
            }
            List<PointCall.TabletCall> there = byBackend.get(backend.id());
            if (there == null) {
                there = new ArrayList<>();
                byBackend.put(backend.id(), there);
                addresses.put(backend.id(), backend);
            }
            there.add(tablet);
        }
        // A call may fail before it returns; what is counted first cannot reach zero before the last one is sent.
        open += byBackend.size();
        for (LongObjectMap.PrimitiveEntry<List<PointCall.TabletCall>> entry : byBackend.entries()) {
            open--;
            send(addresses.get(entry.key()), entry.value());
            if (over) {
                return;
            }
        }
    }

    private void send(BackendAddress backend, List<PointCall.TabletCall> tablets) {
        List<KeysOfTablet> wanted;
        if (tablets.size() == 1) {
            PointCall.TabletCall only = tablets.get(0);
            wanted = List.of(new KeysOfTablet(only.tablet().id(), only.version(), only.keys()));
        } else {
            wanted = new ArrayList<>(tablets.size());
            for (PointCall.TabletCall tablet : tablets) {
                wanted.add(new KeysOfTablet(tablet.tablet().id(), tablet.version(), tablet.keys()));
            }
        }
        LookupBody body =
                new LookupBody(plan.idHigh(), plan.idLow(), plan.wire(), binaryRows, wanted, call.parameters());
        open++;
        client.send(backend, new Call(body, backend, tablets), Math.max(1, deadlineNanos - System.nanoTime()));
    }

    /** The replica for a tablet: the same one as long as it does well, which keeps its pages cached; null when all were tried. */
    private @Nullable BackendAddress choose(QueryableBackends.View backends, PointCall.TabletCall wanted) {
        Tablet tablet = wanted.tablet();
        List<Replica> replicas = tablet.replicas();
        int size = replicas.size();
        if (size == 0) {
            return null;
        }
        int first = (int) Math.floorMod(tablet.id(), (long) size);
        BackendAddress second = null;
        for (int i = 0; i < size; i++) {
            int at = first + i;
            Replica replica = replicas.get(at < size ? at : at - size);
            long id = replica.backendId();
            BackendAddress address = backends.address(id);
            if (address == null || !replica.hasVersion(wanted.version()) || hasFailed(id)) {
                continue;
            }
            if (!backends.isAvoided(id)) {
                return address;
            }
            second = second == null ? address : second;
        }
        return second;
    }

    private boolean hasFailed(long backendId) {
        return failedBackends != null && failedBackends.contains(backendId);
    }

    private void noReplica(
            List<PointCall.TabletCall> tablets, PointCall.TabletCall tablet, @Nullable ThetisException earlier) {
        if (earlier == null) {
            fail(new ThetisException(
                    ErrorCode.MISSING_VERSION,
                    "tablet " + tablet.tablet().id() + " has no queryable replicas at version " + tablet.version()));
            return;
        }
        long left = deadlineNanos - System.nanoTime();
        if (left <= pauseNanos) {
            fail(earlier);
            return;
        }
        failedBackends = null;
        loop.schedule(
                () -> {
                    open--;
                    if (!over) {
                        send(tablets, earlier);
                    }
                },
                pauseNanos,
                TimeUnit.NANOSECONDS);
        open++;
        pauseNanos *= 4;
    }

    private void failed(Call failed, ThetisException failure, boolean unreachable) {
        boolean passing =
                switch (failure.code()) {
                    case RPC_ERROR, MISSING_VERSION, TABLET_NOT_FOUND, CORRUPTION -> true;
                    default -> false;
                };
        if (unreachable) {
            shared.backends.failed(failed.backend.id(), failure.text());
        }
        if (!passing || retriesLeft <= 0) {
            fail(failure);
            return;
        }
        retriesLeft--;
        shared.retries.increment();
        if (failedBackends == null) {
            failedBackends = new HashSet<>();
        }
        failedBackends.add(failed.backend.id());
        send(failed.tablets, failure);
    }

    private void fail(ThetisException failure) {
        if (!over) {
            over = true;
            receiver.onFailure(failure);
        }
    }

    private void succeeded(LookupReplyHead head, ByteBuf packets) {
        if (head.numRows() > 0) {
            shared.rows.add(head.numRows());
            if (head.rowCacheHits() > 0) {
                shared.rowCacheHits.add(head.rowCacheHits());
            }
            try {
                receiver.onRows(packets, head.numRows());
            } catch (ThetisException bad) {
                fail(bad);
                return;
            }
        }
        if (open == 0 && !over) {
            over = true;
            receiver.onEnd();
        }
    }

    private final class Call extends LookupCall {
        private final BackendAddress backend;
        private final List<PointCall.TabletCall> tablets;

        Call(LookupBody body, BackendAddress backend, List<PointCall.TabletCall> tablets) {
            super(body);
            this.backend = backend;
            this.tablets = tablets;
        }

        @Override
        protected void onReply(LookupReplyHead head, ByteBuf rows) {
            open--;
            if (over) {
                return;
            }
            if (head.code() == 0) {
                succeeded(head, rows);
            } else {
                failed(this, RpcFailures.of(head.code(), head.message()), false);
            }
        }

        @Override
        protected void onFailure(ThetisException failure, boolean unreachable) {
            open--;
            if (!over) {
                failed(this, failure, unreachable);
            }
        }
    }
}
