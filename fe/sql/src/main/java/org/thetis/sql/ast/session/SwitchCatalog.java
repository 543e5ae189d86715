// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.session;

import org.thetis.sql.ast.Statement;

/** SWITCH catalog. */
public record SwitchCatalog(String catalog) implements Statement {}
