// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast.admin;

import org.thetis.sql.ast.Statement;

/** DROP ANALYZE JOB id or KILL ANALYZE id. */
public record AnalyzeJobControl(boolean drop, long jobId) implements Statement {}
