// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.admin;

import org.thetis.sql.ast.Statement;

/** ADMIN SHOW TABLET STORAGE FORMAT [VERBOSE]. */
public record AdminShowTabletStorageFormat(boolean verbose) implements Statement {}
