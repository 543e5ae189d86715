// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.load;

import java.util.List;
import java.util.Optional;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.IndexMeta;
import org.thetis.catalog.snapshot.CatalogSnapshot;

/** Whether a plan made before its transaction began still writes every index of the table. */
final class WrittenIndexes {
    private WrittenIndexes() {}

    /**
     * Call it when the transaction has begun: a schema change waits for transactions that are older than it, and a younger one must
     * have been planned with it.
     */
    static void check(CatalogSnapshot now, OlapTable planned) {
        if (!ids(Optional.of(planned)).equals(ids(now.findOlapTable(planned.databaseId(), planned.id())))) {
            throw changing(planned, now);
        }
    }

    private static Optional<List<Long>> ids(Optional<OlapTable> table) {
        return table.map(known -> known.indexes().stream().map(IndexMeta::id).toList());
    }

    private static ThetisException changing(OlapTable table, CatalogSnapshot now) {
        String job =
                now.findAlterJob(table.id()).map(known -> ": " + known.advice()).orElse("");
        return new ThetisException(
                ErrorCode.INSERT_FAILED,
                "the columns of table " + table.name() + " are being changed, please try again" + job);
    }
}
