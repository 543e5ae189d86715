// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement;

import java.util.function.Consumer;
import org.thetis.query.session.Session;

/** Where finished statements are written. Called on any thread; must not block for long. */
@FunctionalInterface
public interface AuditSink {
    void write(AuditEvent event);

    /** Whether a finished query is to be written; when not, {@link #count} is enough. */
    default boolean wants(Session session, boolean binaryRows) {
        return true;
    }

    /**
     * What takes the finished look-ups of a connection, called on its event loop only: it must not wait for a file, so lines may come a
     * little later. One per connection, so that what is the same in all of its lines need not be made again.
     */
    default Consumer<LookupEvent> lookupsOf(Session session) {
        return event -> write(event.toAuditEvent(session));
    }

    /** A query ended that is not to be written. Called on event loops: must not block. */
    default void count(long elapsedMillis, boolean failed) {}
}
