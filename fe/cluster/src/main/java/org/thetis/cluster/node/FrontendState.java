// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.node;

import org.thetis.catalog.object.Frontend;

/** A front end as it is now. */
public record FrontendState(
        Frontend frontend,
        boolean leader,
        boolean alive,
        boolean self,
        long replayedJournalId,
        long lastStartMillis,
        long lastHeartbeatMillis,
        String error) {}
