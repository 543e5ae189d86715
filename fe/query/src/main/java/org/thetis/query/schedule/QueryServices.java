// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.schedule;

import java.util.concurrent.Executor;
import org.thetis.base.config.QuerySettings;
import org.thetis.base.fault.DebugPoints;
import org.thetis.wire.BackendClients;

/**
 * What running a plan needs.
 *
 * @param executor starts further attempts; may block
 * @param debugPoints `coordinator.skip_start`: a query of several fragments is prepared and never started
 */
public record QueryServices(
        Coordinator coordinator,
        BackendClients clients,
        BackendBlackList blackList,
        QuerySettings settings,
        Executor executor,
        DebugPoints debugPoints) {}
