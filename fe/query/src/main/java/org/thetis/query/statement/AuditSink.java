// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement;

import org.thetis.query.session.Session;

/** Where finished statements are written. Called on any thread; must not block for long. */
@FunctionalInterface
public interface AuditSink {
    void write(AuditEvent event);

    /** Whether a finished query is to be written; when not, {@link #count} is enough. */
    default boolean wants(Session session, boolean binaryRows) {
        return true;
    }

    /** As {@link #write}, for callers that must not wait for a file: the line may come a little later. */
    default void writeSoon(AuditEvent event) {
        write(event);
    }

    /** A query ended that is not to be written. Called on event loops: must not block. */
    default void count(long elapsedMillis, boolean failed) {}
}
