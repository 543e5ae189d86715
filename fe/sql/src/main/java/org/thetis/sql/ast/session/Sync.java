// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.session;

import org.thetis.sql.ast.Statement;

/** SYNC: wait until this front end has seen every earlier change. */
public record Sync() implements Statement {}
