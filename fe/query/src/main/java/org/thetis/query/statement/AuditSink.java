// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement;

/** Where finished statements are written. Called on any thread; must not block for long. */
@FunctionalInterface
public interface AuditSink {
    void write(AuditEvent event);
}
