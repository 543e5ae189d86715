// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.point;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.UserIdentity;
import org.thetis.catalog.snapshot.CatalogSnapshot;
import org.thetis.catalog.type.DataType;
import org.thetis.sql.expr.ColumnOrigin;
import org.thetis.sql.lower.OutputColumn;

/** Plans made without a planner, for tests of what carries them out. */
public final class HandMadePlans {
    private HandMadePlans() {}

    /** `SELECT v FROM table WHERE k = ?` of a table with one BIGINT key and the text `v`; `low` tells plans apart. */
    public static PointPlan byKey(CatalogSnapshot now, String database, OlapTable table, long low) {
        KeyTerm term =
                new KeyTerm(new KeyColumn("k", DataType.BIGINT), List.of(new KeyTerm.Source(0, null, false)), false);
        PlanScope scope = PlanScope.of(UserIdentity.ROOT, null, java.util.Map.of());
        return new PointPlan(
                7,
                low,
                "a plan".getBytes(StandardCharsets.UTF_8),
                List.of(new OutputColumn(
                        "v", DataType.VARCHAR, true, "kv", new ColumnOrigin(database, table.name(), "v"))),
                1,
                List.of(),
                new PointBasis(now, scope, database, table),
                new KeyRouter(table, List.of(term), List.of()));
    }
}
