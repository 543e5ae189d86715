// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.show;

import org.thetis.sql.ast.Statement;

/** SHOW PARTITION id. */
public record ShowPartition(long partitionId) implements Statement {}
