// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.plan;

/** A step of a query as relational algebra: what to compute, not how or where. */
public interface LogicalPlan extends Plan {}
