// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.lower;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.schema.Partition;
import org.thetis.sql.binder.DeleteBinder;
import org.thetis.sql.expr.Conjuncts;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.expr.WireExprs;
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

    /** Makes the plan from what the rules left of the bound filter; fails when no column is looked at. */
    static PlannedDeletion of(DeleteBinder.Predicate bound, Plan rewritten, List<TableAccess> tables) {
        String text = Conjuncts.and(bound.rows().conditions()).sql();
        if (rewritten instanceof LogicalFilter filter && filter.child() instanceof LogicalScan scan) {
            Set<SlotReference> used = new LinkedHashSet<>();
            filter.conditions().forEach(condition -> used.addAll(condition.slots()));
            List<SlotReference> slots = new ArrayList<>(used);
            DeletePredicate wire = new DeletePredicate(
                    slots.stream()
                            .map(slot -> bound.table().getColumn(slot.name()).uniqueId())
                            .toList(),
                    new WireExprs(slots).all(filter.conditions()),
                    text);
            return new PlannedDeletion(
                    tables,
                    new StoragePredicate(
                            bound.database(), bound.table(), scan.selection().partitions(), wire));
        }
        if (rewritten instanceof LogicalScan) {
            throw new ThetisException(
                    ErrorCode.INVALID_ARGUMENT,
                    "DELETE needs a condition on columns; use TRUNCATE TABLE "
                            + bound.table().name() + " to remove every row");
        }
        DeletePredicate nothing = new DeletePredicate(List.of(), List.of(), text);
        return new PlannedDeletion(tables, new StoragePredicate(bound.database(), bound.table(), List.of(), nothing));
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
