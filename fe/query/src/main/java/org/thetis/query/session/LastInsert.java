// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.session;

/** What SHOW LAST INSERT tells of the session's last INSERT. */
public record LastInsert(
        long txnId, String label, String database, String table, String status, long loadedRows, long filteredRows) {}
