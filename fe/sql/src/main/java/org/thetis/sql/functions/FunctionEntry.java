// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.functions;

import java.util.List;
import org.thetis.sql.expr.NullMode;

/** A function of the catalog. State is "same", "binary" or a type word and matters for aggregates only. */
public record FunctionEntry(
        String name,
        Kind kind,
        List<Signature> signatures,
        NullMode nulls,
        String returnRule,
        boolean isVolatile,
        String state,
        boolean emptyIsZero) {
    /** Families of functions that do not share names. */
    public enum Kind {
        SCALAR,
        AGGREGATE,
        WINDOW
    }

    /** Copies the list. */
    public FunctionEntry {
        signatures = List.copyOf(signatures);
    }
}
