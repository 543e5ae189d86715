// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast;

import java.util.List;

/** A GROUP BY clause. Integer literals among the expressions are positions. */
public sealed interface GroupBy {
    /** Plain keys. */
    record Expressions(List<Expression> expressions) implements GroupBy {
        /** Copies the collections. */
        public Expressions {
            expressions = List.copyOf(expressions);
        }
    }

    /** ROLLUP (a, b). */
    record Rollup(List<Expression> expressions) implements GroupBy {
        /** Copies the collections. */
        public Rollup {
            expressions = List.copyOf(expressions);
        }
    }

    /** CUBE (a, b). */
    record Cube(List<Expression> expressions) implements GroupBy {
        /** Copies the collections. */
        public Cube {
            expressions = List.copyOf(expressions);
        }
    }

    /** GROUPING SETS ((a, b), (a), ()). */
    record GroupingSets(List<List<Expression>> sets) implements GroupBy {
        /** Copies the collections. */
        public GroupingSets {
            sets = List.copyOf(sets);
        }
    }
}
