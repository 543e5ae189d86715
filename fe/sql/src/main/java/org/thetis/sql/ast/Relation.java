// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast;

import com.google.common.collect.ImmutableMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.SourcePosition;

/** Something that yields rows in FROM. */
public sealed interface Relation {
    /** Where the relation starts. */
    SourcePosition position();

    /**
     * A table, view or common table by name, with everything that may follow the name. scanParameters is @name('k'
     * = 'v').
     */
    record Table(
            SourcePosition position,
            QualifiedName name,
            @Nullable String alias,
            List<String> columnAliases,
            @Nullable String index,
            @Nullable TableSnapshot snapshot,
            @Nullable PartitionSelection partitions,
            List<Long> tabletIds,
            @Nullable TableSample sample,
            @Nullable String scanParameterKind,
            Map<String, String> scanParameters,
            List<String> hints)
            implements Relation {
        /** Copies the collections. */
        public Table {
            columnAliases = List.copyOf(columnAliases);
            tabletIds = List.copyOf(tabletIds);
            scanParameters = ImmutableMap.copyOf(scanParameters);
            hints = List.copyOf(hints);
        }
    }

    /** A derived table. */
    record Subquery(SourcePosition position, Query query, @Nullable String alias, List<String> columnAliases)
            implements Relation {
        /** Copies the collections. */
        public Subquery {
            columnAliases = List.copyOf(columnAliases);
        }
    }

    /** A table-valued function such as numbers('number' = '10'). */
    record TableFunction(
            SourcePosition position,
            QualifiedName name,
            Map<String, String> properties,
            @Nullable String alias,
            List<String> columnAliases)
            implements Relation {
        /** Copies the collections. */
        public TableFunction {
            properties = ImmutableMap.copyOf(properties);
            columnAliases = List.copyOf(columnAliases);
        }
    }

    /**
     * A join; on is null and using empty for a cross join and for comma. A natural join equates the columns that both
     * sides have. distribution is SHUFFLE or BROADCAST from a [hint], else null.
     */
    record Join(
            SourcePosition position,
            JoinKind kind,
            Relation left,
            Relation right,
            @Nullable Expression on,
            List<String> using,
            boolean natural,
            @Nullable String distribution)
            implements Relation {
        /** Copies the collections. */
        public Join {
            using = List.copyOf(using);
        }
    }

    /** LATERAL VIEW [OUTER] function(...) alias AS columns. */
    record LateralView(
            SourcePosition position,
            Relation input,
            boolean outer,
            Expression.FunctionCall function,
            String alias,
            List<String> columns)
            implements Relation {
        /** Copies the collections. */
        public LateralView {
            columns = List.copyOf(columns);
        }
    }
}
