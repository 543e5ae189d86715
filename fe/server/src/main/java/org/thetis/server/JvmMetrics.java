// SPDX-License-Identifier: Apache-2.0
package org.thetis.server;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.ThreadMXBean;
import org.thetis.base.metrics.MetricRegistry;

/** Registers what the Java process itself uses. */
final class JvmMetrics {
    private JvmMetrics() {}

    static void register(MetricRegistry metrics) {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        metrics.gauge("jvm_heap_used_bytes", "Heap in use.", () -> memory.getHeapMemoryUsage()
                .getUsed());
        metrics.gauge("jvm_heap_max_bytes", "Largest heap allowed.", () -> memory.getHeapMemoryUsage()
                .getMax());
        metrics.gauge("jvm_threads", "Live threads.", threads::getThreadCount);
    }
}
