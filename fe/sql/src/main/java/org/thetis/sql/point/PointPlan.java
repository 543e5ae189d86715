// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.point;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.snapshot.CatalogSnapshot;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.lower.OutputColumn;

/**
 * A SELECT by all keys of one merge-on-write table, planned once for any values of its keys. Back ends know it by its id, which
 * is never used again. Immutable and thread-safe.
 */
public final class PointPlan {
    private final long idHigh;
    private final long idLow;
    private final byte[] wire;
    private final List<OutputColumn> outputs;
    private final int numParameters;
    private final List<Pinned> pinned;
    private final PointBasis basis;
    private final KeyRouter keys;

    /** A parameter that the plan was made for one value of. */
    record Pinned(int parameter, Literal value) {}

    PointPlan(
            long idHigh,
            long idLow,
            byte[] wire,
            List<OutputColumn> outputs,
            int numParameters,
            List<Pinned> pinned,
            PointBasis basis,
            KeyRouter keys) {
        this.idHigh = idHigh;
        this.idLow = idLow;
        this.wire = wire;
        this.outputs = List.copyOf(outputs);
        this.numParameters = numParameters;
        this.pinned = List.copyOf(pinned);
        this.basis = basis;
        this.keys = keys;
    }

    /** LookupRequest.plan_id_high. */
    public long idHigh() {
        return idHigh;
    }

    /** LookupRequest.plan_id_low. */
    public long idLow() {
        return idLow;
    }

    /** LookupRequest.plan: a Thrift compact LookupPlan. Not to be changed. */
    public byte[] wire() {
        return wire;
    }

    /** Columns of the result, as a full plan names and types them. */
    public List<OutputColumn> outputs() {
        return outputs;
    }

    /** The name of the table's database. */
    public String database() {
        return basis.databaseName();
    }

    /** The table in this catalog; null when it is gone. */
    public @Nullable OlapTable table(CatalogSnapshot now) {
        return basis.table(now);
    }

    /** How many values {@link #bind} takes. */
    public int numParameters() {
        return numParameters;
    }

    /**
     * Whether the statement still means this plan to a session: its table has the same shape and name, the user may read it, and
     * the session is set up alike. Nanoseconds for the snapshot asked about last, some look-ups for a new one.
     */
    public boolean isCurrent(CatalogSnapshot now, PlanScope session) {
        return basis.holds(now, session);
    }

    /** Whether the plan is for these values: those of parameters outside the keys are part of some plans. */
    public boolean accepts(List<Literal> parameters) {
        if (parameters.size() != numParameters) {
            return false;
        }
        for (Pinned one : pinned) {
            if (!one.value().equals(parameters.get(one.parameter()))) {
                return false;
            }
        }
        return true;
    }

    /**
     * What to look up for these values of the parameters, in the catalog as it is now; null when the values are of kinds (text
     * against a number, say) that only a full plan compares, or are too many. Call only while {@link #isCurrent} and
     * {@link #accepts}.
     */
    public @Nullable PointCall bind(CatalogSnapshot now, List<Literal> parameters) {
        OlapTable table = basis.table(now);
        return table == null ? null : keys.bind(table, parameters);
    }
}
