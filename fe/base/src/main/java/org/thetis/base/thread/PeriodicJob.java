// SPDX-License-Identifier: Apache-2.0
package org.thetis.base.thread;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a piece of work again and again on its own thread, asking for the pause anew each time so that settings apply at once. A
 * run that fails is logged and does not stop later runs. {@link #runSoon} starts the next run without waiting for the pause.
 */
public final class PeriodicJob implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PeriodicJob.class);

    private final String name;
    private final Supplier<Duration> pause;
    private final Runnable work;
    private final ScheduledExecutorService executor;

    public PeriodicJob(String name, Supplier<Duration> pause, Runnable work) {
        this.name = name;
        this.pause = pause;
        this.work = work;
        this.executor = Executors.scheduled(name, 1);
    }

    /** Starts with a run at once. */
    public PeriodicJob start() {
        executor.execute(this::runAndReschedule);
        return this;
    }

    /** Runs once more as soon as the thread is free, beside the regular rhythm. */
    public void runSoon() {
        if (!executor.isShutdown()) {
            executor.execute(this::runOnce);
        }
    }

    private void runAndReschedule() {
        runOnce();
        if (!executor.isShutdown()) {
            executor.schedule(this::runAndReschedule, pause.get().toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void runOnce() {
        try {
            work.run();
        } catch (RuntimeException e) {
            LOG.warn("A run of job {} failed: {}", name, e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        Executors.stop(executor, Duration.ofSeconds(2));
    }
}
