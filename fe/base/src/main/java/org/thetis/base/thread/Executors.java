// SPDX-License-Identifier: Apache-2.0
package org.thetis.base.thread;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Thread pools whose threads are named after their work, are daemons, and log what they did not catch. */
public final class Executors {
    private static final Logger LOG = LoggerFactory.getLogger(Executors.class);

    private Executors() {}

    /** Threads called `name-1`, `name-2`, .... */
    public static ThreadFactory threads(String name) {
        AtomicInteger next = new AtomicInteger();
        return runnable -> {
            Thread thread = new Thread(runnable, name + "-" + next.incrementAndGet());
            thread.setDaemon(true);
            thread.setUncaughtExceptionHandler(
                    (failed, cause) -> LOG.error("Thread {} failed.", failed.getName(), cause));
            return thread;
        };
    }

    /** A pool of at most `size` threads that go away when idle; work beyond that waits in order. */
    public static ExecutorService fixed(String name, int size) {
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(size, size, 60, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads(name));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** A pool that starts a thread for each piece of work up to `max`, and rejects beyond that. */
    public static ExecutorService growing(String name, int max) {
        return new ThreadPoolExecutor(0, max, 60, TimeUnit.SECONDS, new SynchronousQueue<>(), threads(name));
    }

    /** A scheduler; cancelled work leaves its queue at once. */
    public static ScheduledExecutorService scheduled(String name, int size) {
        ScheduledThreadPoolExecutor pool = new ScheduledThreadPoolExecutor(size, threads(name));
        pool.setRemoveOnCancelPolicy(true);
        pool.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        return pool;
    }

    /** Stops a pool: no new work, running work is interrupted after the grace period. */
    public static void stop(ExecutorService pool, Duration grace) {
        pool.shutdown();
        try {
            if (!pool.awaitTermination(grace.toMillis(), TimeUnit.MILLISECONDS)) {
                pool.shutdownNow();
            }
        } catch (InterruptedException e) {
            pool.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
