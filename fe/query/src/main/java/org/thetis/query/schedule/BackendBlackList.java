// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.schedule;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.thetis.base.config.QuerySettings;
import org.thetis.base.thread.Clock;

/** Back ends that just failed a call; plans avoid them until the time is up or a heartbeat shows them well. Thread-safe. */
public final class BackendBlackList {
    /** Since and until when a back end is avoided, and why. */
    public record Entry(long sinceMillis, long untilMillis, String reason) {}

    private final QuerySettings settings;
    private final Clock clock;
    private final ConcurrentHashMap<Long, Entry> entries = new ConcurrentHashMap<>();

    public BackendBlackList(QuerySettings settings, Clock clock) {
        this.settings = settings;
        this.clock = clock;
    }

    public void add(long backendId, String reason) {
        if (!settings.disableBackendBlackList()) {
            long now = clock.millis();
            entries.put(backendId, new Entry(now, now + settings.blacklistDurationSecond() * 1000, reason));
        }
    }

    /** Called when a back end is known to be well again. */
    public void remove(long backendId) {
        entries.remove(backendId);
    }

    /** Whether plans should avoid the back end; a good heartbeat after the failure clears it. */
    public boolean contains(long backendId, long lastGoodHeartbeatMillis) {
        Entry entry = entries.get(backendId);
        if (entry == null) {
            return false;
        }
        if (entry.untilMillis() <= clock.millis() || entry.sinceMillis() < lastGoodHeartbeatMillis) {
            entries.remove(backendId, entry);
            return false;
        }
        return true;
    }

    /** All current entries. */
    public Map<Long, Entry> entries() {
        entries.values().removeIf(entry -> entry.untilMillis() <= clock.millis());
        return Map.copyOf(entries);
    }
}
