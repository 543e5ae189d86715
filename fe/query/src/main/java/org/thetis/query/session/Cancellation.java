// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ThetisException;

/**
 * The one switch that ends a statement early: KILL, a deadline, or a client that left. The first reason wins; listeners run once,
 * on the cancelling thread, outside the lock.
 */
public final class Cancellation {
    private final Object lock = new Object();

    @GuardedBy("lock")
    private @Nullable ThetisException reason;

    @GuardedBy("lock")
    private final List<Consumer<ThetisException>> listeners = new ArrayList<>();

    public void cancel(ThetisException why) {
        List<Consumer<ThetisException>> toRun;
        synchronized (lock) {
            if (reason != null) {
                return;
            }
            reason = why;
            toRun = List.copyOf(listeners);
            listeners.clear();
        }
        toRun.forEach(listener -> listener.accept(why));
    }

    /** Runs the listener when the statement is cancelled, at once if it already is. */
    public void onCancel(Consumer<ThetisException> listener) {
        ThetisException already;
        synchronized (lock) {
            already = reason;
            if (already == null) {
                listeners.add(listener);
            }
        }
        if (already != null) {
            listener.accept(already);
        }
    }

    public Optional<ThetisException> reason() {
        synchronized (lock) {
            return Optional.ofNullable(reason);
        }
    }

    /** Fails with the reason if cancelled. */
    public void check() {
        Optional<ThetisException> why = reason();
        if (why.isPresent()) {
            throw why.get();
        }
    }
}
