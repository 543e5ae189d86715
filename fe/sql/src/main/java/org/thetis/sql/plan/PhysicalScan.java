// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import java.util.ArrayList;
import java.util.List;
import org.thetis.catalog.schema.KeysModel;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.SlotReference;

/** Reads tablets with conditions pushed down. Output: the scan's columns. */
public record PhysicalScan(LogicalScan scan, List<Expr> conditions, Distribution distribution, double rows)
        implements PhysicalPlan, LeafPlan {
    /** Copies the list. */
    public PhysicalScan {
        conditions = List.copyOf(conditions);
    }

    @Override
    public List<SlotReference> output() {
        return scan.output();
    }

    /** Whether only the number of stored rows matters; models that merge rows have to read their keys. */
    public boolean isCountOnly() {
        return scan.output().isEmpty()
                && conditions.isEmpty()
                && scan.table().table().keysModel() == KeysModel.DUPLICATE;
    }

    /** Ids of the tablets read, in partition and bucket order. */
    public List<Long> tabletIds() {
        List<Long> ids = new ArrayList<>();
        scan.selection().partitions().forEach(partition -> partition.tablets().forEach(tablet -> {
            if (scan.selection().reads(tablet.id())) {
                ids.add(tablet.id());
            }
        }));
        return ids;
    }

    @Override
    public List<Expr> expressions() {
        return conditions;
    }

    @Override
    public String explainName() {
        return "VOlapScanNode";
    }

    @Override
    public String nodeName() {
        return "PhysicalOlapScan";
    }

    @Override
    public String shape() {
        return "PhysicalOlapScan[" + scan.table().table().name() + "]";
    }

    @Override
    public List<String> explainLines() {
        var table = scan.table().table();
        List<String> lines = new ArrayList<>();
        lines.add("TABLE: " + scan.table().qualifiedName() + "(" + table.name() + "), "
                + scan.mode().explain());
        if (!conditions.isEmpty()) {
            lines.add("PREDICATES: " + PlanText.conjunction(conditions));
        }
        List<String> names = scan.selection().partitions().stream()
                .map(partition -> partition.name())
                .toList();
        lines.add(
                "partitions=" + names.size() + "/" + table.partitions().size() + " (" + String.join(",", names) + ")");
        int all = scan.selection().partitions().stream()
                .mapToInt(partition -> partition.tablets().size())
                .sum();
        List<Long> ids = tabletIds();
        String list =
                String.join(",", ids.stream().limit(3).map(String::valueOf).toList());
        lines.add("tablets=" + ids.size() + "/" + all + ", tabletList=" + list + (ids.size() > 3 ? " ..." : ""));
        lines.add("cardinality=" + Math.round(rows) + ", avgRowSize=0.0, numNodes=1");
        lines.add("pushAggOp=" + (isCountOnly() ? "COUNT" : "NONE"));
        return lines;
    }
}
