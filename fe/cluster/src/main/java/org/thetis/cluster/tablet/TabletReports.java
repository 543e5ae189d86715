// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.tablet;

import org.thetis.wire.thrift.ReportRequest;

/** Takes what back ends report of their tablets and disks. */
public interface TabletReports {
    /**
     * Takes a report over. Stale ones (an earlier report version of the same process) are ignored. Tablets that the catalog does
     * not know are dropped on the back end, lost replicas are marked bad, missed publishes are repeated. Fails with ACCESS_DENIED
     * for a wrong token and NOT_FOUND for an unknown back end.
     */
    void report(ReportRequest request);
}
