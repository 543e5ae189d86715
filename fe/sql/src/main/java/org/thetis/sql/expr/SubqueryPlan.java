// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.expr;

import java.util.List;

/** A bound query inside an expression. Logical plans implement it; expressions know no more of it than its columns. */
public interface SubqueryPlan {
    /** Columns of the query's result. */
    List<SlotReference> output();
}
