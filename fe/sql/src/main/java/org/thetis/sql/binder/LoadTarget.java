// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.binder;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.HiddenColumns;
import org.thetis.catalog.schema.KeysModel;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.sql.plan.WrittenColumns;

/** Which columns a load writes into one table and where its sequence comes from; made only when table and headers agree. */
final class LoadTarget {
    private final OlapTable table;
    private final LoadSpec spec;
    private final Predicate<String> isMapped;
    private final String sequenceName;

    /**
     * Checks the headers against the table.
     *
     * @param isMapped whether the data gives a column of that name
     */
    LoadTarget(OlapTable table, LoadSpec spec, Predicate<String> isMapped) {
        this.table = table;
        this.spec = spec;
        this.isMapped = isMapped;
        checkModel();
        this.sequenceName = sequenceName(table, spec, isMapped);
    }

    /** What gives the sequence when the data does not have it under its own name; empty for nothing. */
    String sequenceName() {
        return sequenceName;
    }

    private void checkModel() {
        boolean unique = table.keysModel() == KeysModel.UNIQUE;
        if (spec.merge() != LoadSpec.Merge.APPEND) {
            if (!unique) {
                throw bad("merge_type " + spec.merge() + " needs a UNIQUE KEY table, " + table.name() + " is none");
            }
            if (isMapped.test(HiddenColumns.DELETE_SIGN)) {
                throw bad("merge_type " + spec.merge() + " contradicts data with its own " + HiddenColumns.DELETE_SIGN);
            }
        }
        if (!spec.partialUpdate()) {
            return;
        }
        if (!unique || !table.properties().mergeOnWrite()) {
            throw bad("partial update needs a UNIQUE KEY table with merge-on-write, " + table.name() + " is none");
        }
        for (SchemaColumn key : table.baseIndex().keyColumns()) {
            if (!isMapped.test(key.name())) {
                throw bad("partial update should include all key columns, missing: " + key.name());
            }
        }
    }

    private static String sequenceName(OlapTable table, LoadSpec spec, Predicate<String> isMapped) {
        boolean hasSequence = table.columns().stream().anyMatch(WriteTarget::isSequence);
        String given = spec.sequenceColumn();
        if (!hasSequence) {
            if (!given.isEmpty()) {
                throw bad("table " + table.name() + " has no sequence column, but function_column.sequence_col names "
                        + given);
            }
            return "";
        }
        if (isMapped.test(HiddenColumns.SEQUENCE)) {
            if (!given.isEmpty()) {
                throw bad("function_column.sequence_col contradicts data with its own " + HiddenColumns.SEQUENCE);
            }
            return HiddenColumns.SEQUENCE;
        }
        String mapped = table.properties().sequenceColumn();
        if (!mapped.isEmpty()) {
            if (!given.isEmpty() && !given.equalsIgnoreCase(mapped)) {
                throw bad("function_column.sequence_col is " + given + ", but the table's sequence is its column "
                        + mapped);
            }
            return mapped;
        }
        if (given.isEmpty() && !spec.partialUpdate()) {
            throw bad("table " + table.name()
                    + " has a sequence column: name its source with the header function_column.sequence_col");
        }
        return given;
    }

    /** The columns of the sink, in table order; defaults are those of the session's statement time. */
    WrittenColumns written(SessionFacts session) {
        WrittenColumns whole = WrittenColumns.whole(table);
        if (!spec.partialUpdate()) {
            return whole;
        }
        List<SchemaColumn> part = whole.columns().stream().filter(this::isGiven).toList();
        return WrittenColumns.part(
                part, spec.existingOnly(), spec.existingOnly() ? Map.of() : Defaults.ofAbsent(table, part, session));
    }

    private boolean isGiven(SchemaColumn column) {
        if (WriteTarget.isDeleteSign(column) && spec.merge() != LoadSpec.Merge.APPEND) {
            return true;
        }
        if (WriteTarget.isSequence(column) && !isMapped.test(column.name())) {
            // A mapped sequence goes with its column; a named one is always given.
            Optional<SchemaColumn> mapped = table.findColumn(table.properties().sequenceColumn());
            return mapped.map(from -> isMapped.test(from.name())).orElse(!sequenceName.isEmpty());
        }
        return isMapped.test(column.name());
    }

    private static ThetisException bad(String message) {
        return new ThetisException(ErrorCode.INVALID_ARGUMENT, message);
    }
}
