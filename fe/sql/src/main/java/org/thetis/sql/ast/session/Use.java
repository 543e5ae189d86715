// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.session;

import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.Statement;

/** USE [catalog.]database. */
public record Use(@Nullable String catalog, String database) implements Statement {}
