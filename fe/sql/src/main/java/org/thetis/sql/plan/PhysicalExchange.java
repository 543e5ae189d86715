// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

import java.util.ArrayList;
import java.util.List;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.SortKey;

/** Sends rows to where the distribution says. With merge keys the senders are sorted and the receiver keeps the order. Limit -1: none. */
public record PhysicalExchange(Distribution distribution, List<SortKey> mergeKeys, long limit, long offset, Plan child)
        implements PhysicalPlan, UnaryPlan {
    /** An exchange without order or limit. */
    public static PhysicalExchange to(Distribution distribution, Plan child) {
        return new PhysicalExchange(distribution, List.of(), -1, 0, child);
    }

    @Override
    public Plan withChild(Plan other) {
        return new PhysicalExchange(distribution, mergeKeys, limit, offset, other);
    }

    @Override
    public double rows() {
        double rows = input(0).rows();
        return limit < 0 ? rows : Math.min((double) limit, rows);
    }

    @Override
    public List<Expr> expressions() {
        List<Expr> all = new ArrayList<>(distribution.keys());
        mergeKeys.forEach(key -> all.add(key.expression()));
        return all;
    }

    @Override
    public String explainName() {
        return mergeKeys.isEmpty() ? "VEXCHANGE" : "VMERGING-EXCHANGE";
    }

    @Override
    public String nodeName() {
        return "PhysicalDistribute";
    }

    @Override
    public String shape() {
        return "PhysicalDistribute[DistributionSpec"
                + switch (distribution.kind()) {
                    case SINGLE -> "Gather";
                    case BROADCAST -> "Replicated";
                    case HASH, BUCKET -> "Hash";
                    case RANDOM -> "Any";
                } + "]";
    }

    @Override
    public List<String> explainLines() {
        List<String> lines = new ArrayList<>();
        lines.add("offset: " + offset);
        if (limit >= 0) {
            lines.add("limit: " + limit);
        }
        return lines;
    }
}
