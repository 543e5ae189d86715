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

    public SessionRegistry(IntSupplier maxConnections) {
        this.maxConnections = maxConnections;
    }

    public long nextConnectionId() {
        return nextId.getAndIncrement();
    }

    /**
     * Takes in a session; fails with 1040 when the server and with 1203 when its user has too many. Some places beyond the
     * server's limit are kept for administrators, so that one can always look and KILL.
     */
    public void register(Session session, int maxOfUser, boolean administrator) {
        int max = maxConnections.getAsInt() + (administrator ? RESERVED_FOR_ADMINISTRATORS : 0);
        if (admitted.incrementAndGet() > max) {
            admitted.decrementAndGet();
            throw new ThetisException(
                    ErrorCode.TOO_MANY_CONNECTIONS,
                    "Reach limit of connections. Total: " + max + ", User: " + maxOfUser + ", Current: " + max);
        }
        if (countOf(session.identity()) >= maxOfUser) {
            admitted.decrementAndGet();
            throw new ThetisException(
                    ErrorCode.CONNECTION_LIMIT,
                    "Reach limit of connections. Total: " + max + ", User: " + maxOfUser + ", Current: " + maxOfUser);
        }
        sessions.put(session.id(), session);
    }

    public void remove(Session session) {
        if (sessions.remove(session.id(), session)) {
            admitted.decrementAndGet();
        }
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

    private long countOf(UserIdentity identity) {
        return sessions.values().stream()
                .filter(session -> session.identity().equals(identity))
                .count();
    }
}
