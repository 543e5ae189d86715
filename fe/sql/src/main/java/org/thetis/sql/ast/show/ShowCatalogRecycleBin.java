// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.show;

import org.thetis.sql.ast.Statement;

/** SHOW CATALOG RECYCLE BIN. */
public record ShowCatalogRecycleBin(ShowFilter filter) implements Statement {}
