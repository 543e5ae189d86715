// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.admin;

import org.thetis.sql.ast.Statement;

/** CLEAN ALL PROFILE. */
public record CleanProfiles() implements Statement {}
