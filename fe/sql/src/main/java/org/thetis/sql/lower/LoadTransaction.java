// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.lower;

import org.thetis.wire.thrift.UniqueId;

/** The transaction under which a plan's table sink writes. */
public record LoadTransaction(
        long txnId, long databaseId, UniqueId loadId, long timeoutMs, boolean strict, double maxFilterRatio) {}
