// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.show;

import org.thetis.sql.ast.Statement;

/** SHOW LAST INSERT. */
public record ShowLastInsert() implements Statement {}
