// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.session;

/**
 * A statement that runs on its connection's event loop and is described only when another session looks: process list, KILL QUERY,
 * active queries. Asked on any thread.
 */
public interface InlineStatement {
    /** What runs; cancelling it ends the statement as soon as its event loop comes to it, if it still runs then. */
    StatementContext describe();
}
