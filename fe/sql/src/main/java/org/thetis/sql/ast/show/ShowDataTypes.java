// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.show;

import org.thetis.sql.ast.Statement;

/** SHOW DATA TYPES. */
public record ShowDataTypes() implements Statement {}
