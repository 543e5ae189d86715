// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.schedule;

import java.util.concurrent.Executor;
import org.thetis.base.config.QuerySettings;
import org.thetis.wire.BackendClients;

/**
 * What running a plan needs.
 *
 * @param executor starts further attempts; may block
 */
public record QueryServices(
        Coordinator coordinator,
        BackendClients clients,
        BackendBlackList blackList,
        QuerySettings settings,
        Executor executor) {}
