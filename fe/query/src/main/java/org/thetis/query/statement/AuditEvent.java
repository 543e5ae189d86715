// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement;

import org.thetis.query.schedule.QueryCounters;
import org.thetis.query.session.StatementContext;

/** One finished statement, for the audit log. State is OK, EOF or ERR as in MySQL replies. */
public record AuditEvent(
        StatementContext statement,
        boolean isQuery,
        String state,
        int errorCode,
        String errorMessage,
        long elapsedMillis,
        long returnedRows,
        QueryCounters counters) {}
