// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.lower;

import java.util.ArrayList;
import java.util.List;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.IndexMeta;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.catalog.type.TypeChange;
import org.thetis.wire.thrift.Cast;
import org.thetis.wire.thrift.DeletePredicate;
import org.thetis.wire.thrift.Expr;
import org.thetis.wire.thrift.ExprNode;

/** A DELETE that storage does: rows of these partitions for which the condition is true go. No partition: nothing can match. */
public record StoragePredicate(
        String database, OlapTable table, List<Partition> partitions, DeletePredicate predicate) {
    /** Copies the list. */
    public StoragePredicate {
        partitions = List.copyOf(partitions);
    }

    /**
     * The condition as the shadow of a schema change takes it. A column that changes its type is cast back: what it holds below the
     * condition was converted from the old type, and a lossless conversion gives the value back, so the condition is true for the
     * same rows. Text that is read as numbers or dates is not lossless ('07' and '7'), and a column may be gone: both are refused.
     */
    public DeletePredicate over(IndexMeta shadow) {
        List<SchemaColumn> targets = new ArrayList<>();
        for (int uniqueId : predicate.getColumn_unique_ids()) {
            SchemaColumn source = column(table.baseIndex(), uniqueId);
            SchemaColumn target = shadow.columns().stream()
                    .filter(column -> column.uniqueId() == uniqueId)
                    .findFirst()
                    .orElseThrow(() -> refused(source, "drops"));
            if (TypeChange.isParsed(source.type(), target.type())) {
                throw refused(source, "changes to " + target.type().toSql());
            }
            targets.add(target);
        }
        List<Expr> conjuncts = predicate.getConjuncts().stream()
                .map(each -> over(each, targets))
                .toList();
        return new DeletePredicate(predicate.getColumn_unique_ids(), conjuncts, predicate.getText());
    }

    private Expr over(Expr expr, List<SchemaColumn> targets) {
        if (!expr.getNode().isSetSlot()) {
            Expr copy = new Expr(expr);
            if (expr.isSetChildren()) {
                copy.setChildren(expr.getChildren().stream()
                        .map(child -> over(child, targets))
                        .toList());
            }
            return copy;
        }
        int position = expr.getNode().getSlot().getPosition();
        SchemaColumn target = targets.get(position);
        SchemaColumn source =
                column(table.baseIndex(), predicate.getColumn_unique_ids().get(position));
        Expr slot = new Expr(expr.getNode(), target.type().toThrift(target.nullable()));
        if (source.type().equals(target.type())
                || (source.type().isText() && target.type().isText())) {
            return slot;
        }
        Expr cast = new Expr(ExprNode.cast(new Cast()), source.type().toThrift(true));
        cast.addToChildren(slot);
        return cast;
    }

    private static SchemaColumn column(IndexMeta index, int uniqueId) {
        return index.columns().stream()
                .filter(column -> column.uniqueId() == uniqueId)
                .findFirst()
                .orElseThrow();
    }

    private ThetisException refused(SchemaColumn column, String what) {
        return new ThetisException(
                ErrorCode.INSERT_FAILED,
                "a DELETE whose condition reads column " + column.name()
                        + " has to wait: a running schema change of table "
                        + table.name() + " " + what
                        + " it; SHOW ALTER TABLE COLUMN shows when that is FINISHED, CANCEL ALTER TABLE COLUMN FROM "
                        + table.name() + " ends it now");
    }
}
