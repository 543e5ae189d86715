// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.show;

/** What a ShowCompatibility statement asks for. */
public enum ShowCompatibilityKind {
    AUTHORS,
    CHARSET,
    COLLATION,
    ENGINES,
    ERRORS,
    EVENTS,
    FUNCTION_STATUS,
    OPEN_TABLES,
    PLUGINS,
    PRIVILEGES,
    PROCEDURE_STATUS,
    PROFILES,
    STATUS,
    TRIGGERS,
    WARNINGS
}
