// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.point;

import com.google.common.collect.Interner;
import com.google.common.collect.Interners;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.object.UserIdentity;

/**
 * All that a session says about what its statements mean: who it is, its current database, and every variable it has changed.
 * There is one object per distinct content, so that sessions of one kind share plans and a comparison is one of pointers; a
 * session asks for a new one after USE, SET and the like. Immutable.
 */
public final class PlanScope {
    private record Content(UserIdentity user, @Nullable String database, Map<String, String> variables) {}

    private static final Interner<PlanScope> KNOWN = Interners.newWeakInterner();

    private final Content content;
    private final int hash;

    private PlanScope(Content content) {
        this.content = content;
        this.hash = content.hashCode();
    }

    /** The one object of this content. Thread-safe. */
    public static PlanScope of(UserIdentity user, @Nullable String database, Map<String, String> variables) {
        return KNOWN.intern(new PlanScope(new Content(user, database, Map.copyOf(variables))));
    }

    /** Whose privileges count. */
    public UserIdentity user() {
        return content.user();
    }

    /** The current database, if one was chosen. */
    public @Nullable String database() {
        return content.database();
    }

    /** Session variables that differ from their defaults, by name. */
    public Map<String, String> variables() {
        return content.variables();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other == this || other instanceof PlanScope scope && scope.hash == hash && scope.content.equals(content);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
