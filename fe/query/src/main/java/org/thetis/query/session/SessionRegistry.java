// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.session;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.UserIdentity;

/** Every session of this front end: hands out connection ids, enforces limits, finds sessions for KILL. Thread-safe. */
public final class SessionRegistry {
    private static final int RESERVED_FOR_ADMINISTRATORS = 10;

    private final IntSupplier maxConnections;
    private final AtomicLong nextId = new AtomicLong();
    private final AtomicInteger admitted = new AtomicInteger();
    private final ConcurrentHashMap<Long, Session> sessions = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<UserIdentity, Integer> ofUser = new ConcurrentHashMap<>();

    public SessionRegistry(IntSupplier maxConnections) {
        this.maxConnections = maxConnections;
    }

    public long nextConnectionId() {
        return nextId.getAndIncrement();
    }

    /**
     * Takes in a session; fails with 1040 when the server and with 1203 when its user has too many. Some places beyond both limits
     * are kept for administrators, so that one can always look and KILL.
     */
    public void register(Session session, int maxOfUser, boolean administrator) {
        int max = maxConnections.getAsInt();
        int reserve = administrator ? RESERVED_FOR_ADMINISTRATORS : 0;
        if (admitted.incrementAndGet() > max + reserve) {
            admitted.decrementAndGet();
            throw refusal(ErrorCode.TOO_MANY_CONNECTIONS, max, maxOfUser, max + reserve);
        }
        if (ofUser.merge(session.identity(), 1, Integer::sum) > maxOfUser + reserve) {
            leave(session);
            throw refusal(ErrorCode.CONNECTION_LIMIT, max, maxOfUser, maxOfUser + reserve);
        }
        sessions.put(session.id(), session);
    }

    public void remove(Session session) {
        if (sessions.remove(session.id(), session)) {
            leave(session);
        }
    }

    private void leave(Session session) {
        admitted.decrementAndGet();
        ofUser.computeIfPresent(session.identity(), (identity, count) -> count == 1 ? null : count - 1);
    }

    private static ThetisException refusal(ErrorCode code, int max, int maxOfUser, int current) {
        return new ThetisException(
                code, "Reach limit of connections. Total: " + max + ", User: " + maxOfUser + ", Current: " + current);
    }

    public Optional<Session> find(long id) {
        return Optional.ofNullable(sessions.get(id));
    }

    /** The session that runs a query of this id. */
    public Optional<Session> findByQueryId(String queryId) {
        return sessions.values().stream()
                .filter(session -> session.running()
                        .map(running -> running.queryId().toString().equals(queryId))
                        .orElse(false))
                .findAny();
    }

    /** All sessions in order of id. */
    public List<Session> all() {
        List<Session> list = new ArrayList<>(sessions.values());
        list.sort(Comparator.comparingLong(Session::id));
        return list;
    }

    public int size() {
        return sessions.size();
    }
}
