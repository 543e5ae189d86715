// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.alter;

import java.time.Duration;
import org.thetis.base.config.TableSettings;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.base.thread.Clock;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.snapshot.CatalogReader;

/** Whether what is dropped can be recovered, and what must be over before. */
final class Trash {
    private static final Duration PUBLISH_WAIT = Duration.ofSeconds(10);
    private static final long POLL_MILLIS = 20;

    private final TableSettings settings;
    private final CatalogReader catalog;
    private final Clock clock;

    Trash(TableSettings settings, CatalogReader catalog, Clock clock) {
        this.settings = settings;
        this.catalog = catalog;
        this.clock = clock;
    }

    /** The time with which something goes to the recycle bin; 0 when it is gone at once. */
    long recycleMillis(boolean force) {
        return force || settings.catalogTrashExpireSecond() <= 0 ? 0 : clock.millis();
    }

    /** Waits for committed loads: what is recovered later could not publish them any more. */
    void awaitPublished(OlapTable table, String what) {
        long deadline = clock.nanos() + PUBLISH_WAIT.toNanos();
        while (!isPublished(table)) {
            if (clock.nanos() > deadline) {
                throw new ThetisException(
                        ErrorCode.INVALID_ARGUMENT,
                        "There are still some transactions in the COMMITTED state waiting to be completed. The " + what
                                + " [" + table.name()
                                + "] cannot be dropped. If you want to forcibly drop(cannot be recovered), "
                                + "please use \"DROP " + what + " FORCE\".");
            }
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ThetisException(ErrorCode.CANCELLED, "interrupted while loads were being published", e);
            }
        }
    }

    private boolean isPublished(OlapTable table) {
        return catalog.snapshot()
                .findOlapTable(table.databaseId(), table.id())
                .map(known -> known.allPartitions().stream()
                        .allMatch(partition -> partition.visibleVersion() >= partition.committedVersion()))
                .orElse(true);
    }
}
