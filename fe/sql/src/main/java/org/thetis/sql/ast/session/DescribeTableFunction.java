// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.session;

import org.thetis.sql.ast.Relation;
import org.thetis.sql.ast.Statement;

/** DESC FUNCTION tvf(...). */
public record DescribeTableFunction(Relation.TableFunction function) implements Statement {}
