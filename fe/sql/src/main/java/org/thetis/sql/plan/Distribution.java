// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.sql.expr.Expr;

/**
 * How the rows of a physical plan are spread over back ends.
 *
 * @param keys HASH and BUCKET: rows with equal values of these are on one back end
 * @param layout BUCKET: which back end has which bucket
 */
public record Distribution(Kind kind, List<Expr> keys, @Nullable BucketLayout layout) {
    /** Kinds of spreading. */
    public enum Kind {
        /** All on one back end. */
        SINGLE,
        /** By the exchange's hash of the keys. */
        HASH,
        /** By the storage's hash of the keys. */
        BUCKET,
        /** Anyhow. */
        RANDOM,
        /** All rows on every back end; only what an exchange into a join's build side gives. */
        BROADCAST
    }

    public static final Distribution SINGLE = new Distribution(Kind.SINGLE, List.of(), null);
    public static final Distribution RANDOM = new Distribution(Kind.RANDOM, List.of(), null);
    public static final Distribution BROADCAST = new Distribution(Kind.BROADCAST, List.of(), null);

    /** Copies the list. */
    public Distribution {
        keys = List.copyOf(keys);
    }

    public static Distribution hash(List<? extends Expr> keys) {
        return new Distribution(Kind.HASH, List.copyOf(keys), null);
    }

    public static Distribution bucket(List<? extends Expr> keys, BucketLayout layout) {
        return new Distribution(Kind.BUCKET, List.copyOf(keys), layout);
    }

    public boolean isSingle() {
        return kind == Kind.SINGLE;
    }

    /** Whether rows with equal values of the expressions are on one back end. */
    public boolean groups(List<? extends Expr> expressions) {
        return isSingle()
                || (kind == Kind.HASH || kind == Kind.BUCKET) && !keys.isEmpty() && expressions.containsAll(keys);
    }

    /** The words of a fragment's PARTITION line. */
    public String text() {
        return switch (kind) {
            case SINGLE, BROADCAST -> "UNPARTITIONED";
            case RANDOM -> "RANDOM";
            case HASH, BUCKET -> "HASH_PARTITIONED: " + PlanText.list(keys);
        };
    }
}
