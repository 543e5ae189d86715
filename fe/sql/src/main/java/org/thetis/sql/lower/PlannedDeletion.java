// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.lower;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.schema.Partition;
import org.thetis.sql.binder.DeleteBinder;
import org.thetis.sql.expr.Conjuncts;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.expr.WireExprs;
import org.thetis.sql.functions.Calls;
import org.thetis.sql.plan.LogicalFilter;
import org.thetis.sql.plan.LogicalScan;
import org.thetis.sql.plan.Plan;
import org.thetis.wire.thrift.DeletePredicate;

/** A planned DELETE of a model without delete signs: a condition and the partitions it is given to. Runs no fragment. */
final class PlannedDeletion implements PlannedQuery {
    private final List<TableAccess> tables;
    private final StoragePredicate predicate;

    private PlannedDeletion(List<TableAccess> tables, StoragePredicate predicate) {
        this.tables = List.copyOf(tables);
        this.predicate = predicate;
    }

    /** Makes the plan from what the rules left of the bound filter. */
    static PlannedDeletion of(DeleteBinder.Predicate bound, Plan rewritten, List<TableAccess> tables) {
        String text = Conjuncts.and(bound.rows().conditions()).sql();
        LogicalScan scan = scan(rewritten);
        if (scan != null) {
            List<Expr> conditions = conditions(rewritten, scan);
            Set<SlotReference> used = new LinkedHashSet<>();
            conditions.forEach(condition -> used.addAll(condition.slots()));
            List<SlotReference> slots = new ArrayList<>(used);
            DeletePredicate wire = new DeletePredicate(
                    slots.stream()
                            .map(slot -> bound.table().getColumn(slot.name()).uniqueId())
                            .toList(),
                    new WireExprs(slots).all(conditions),
                    text);
            return new PlannedDeletion(
                    tables,
                    new StoragePredicate(
                            bound.database(), bound.table(), scan.selection().partitions(), wire));
        }
        DeletePredicate nothing = new DeletePredicate(List.of(), List.of(), text);
        return new PlannedDeletion(tables, new StoragePredicate(bound.database(), bound.table(), List.of(), nothing));
    }

    private static @Nullable LogicalScan scan(Plan rewritten) {
        Plan plan = rewritten instanceof LogicalFilter filter ? filter.child() : rewritten;
        return plan instanceof LogicalScan scan ? scan : null;
    }

    /** What is left of the filter. When that is nothing every row goes, which is said in terms of a column. */
    private static List<Expr> conditions(Plan rewritten, LogicalScan scan) {
        if (rewritten instanceof LogicalFilter filter) {
            return filter.conditions();
        }
        SlotReference any = scan.output().get(0);
        return List.of(Calls.compare("eq_for_null", any, any));
    }

    @Override
    public List<OutputColumn> outputs() {
        return List.of();
    }

    @Override
    public List<TableAccess> tables() {
        return tables;
    }

    @Override
    public Optional<List<List<Literal>>> constantRows() {
        return Optional.empty();
    }

    @Override
    public Optional<InsertTarget> insertTarget() {
        return Optional.empty();
    }

    @Override
    public Optional<StoragePredicate> storagePredicate() {
        return Optional.of(predicate);
    }

    @Override
    public List<BackendPlan> backendPlans(boolean binaryRows) {
        throw noFragments();
    }

    @Override
    public List<BackendPlan> backendPlans(LoadTransaction transaction) {
        throw noFragments();
    }

    @Override
    public long rootBackendId() {
        throw noFragments();
    }

    @Override
    public int rootFragmentId() {
        throw noFragments();
    }

    private static ThetisException noFragments() {
        return new ThetisException(ErrorCode.INTERNAL, "a DELETE by condition has no fragments");
    }

    @Override
    public List<String> explain(ExplainMode mode) {
        List<String> names =
                predicate.partitions().stream().map(Partition::name).toList();
        int tablets = predicate.partitions().stream()
                .mapToInt(partition -> partition.tablets().size())
                .sum();
        return List.of(
                "DELETE BY PREDICATE",
                "  TABLE: " + predicate.database() + "." + predicate.table().name(),
                "  PREDICATES: " + predicate.predicate().getText(),
                "  partitions=" + names.size() + "/"
                        + predicate.table().partitions().size() + " (" + String.join(",", names) + ")",
                "  tablets=" + tablets);
    }
}
