// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.admin;

import org.thetis.sql.ast.Statement;

/** ADMIN DIAGNOSE TABLET id. */
public record AdminDiagnoseTablet(long tabletId) implements Statement {}
