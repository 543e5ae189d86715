// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.lower;

import java.util.List;
import org.thetis.wire.thrift.BackendDesc;
import org.thetis.wire.thrift.ExecPlan;
import org.thetis.wire.thrift.FragmentInstance;
import org.thetis.wire.thrift.FragmentPlan;
import org.thetis.wire.thrift.NetworkAddress;
import org.thetis.wire.thrift.QueryOptions;
import org.thetis.wire.thrift.UniqueId;

/** The part of a planned statement that one back end runs: its fragments and what is particular to it in each. */
public record BackendPlan(BackendDesc backend, List<FragmentPlan> fragments, List<FragmentInstance> instances) {
    /** Copies the lists. */
    public BackendPlan {
        fragments = List.copyOf(fragments);
        instances = List.copyOf(instances);
    }

    /** The message for PREPARE. */
    public ExecPlan toExecPlan(
            UniqueId queryId, long coordinatorEpoch, NetworkAddress coordinator, QueryOptions options) {
        return new ExecPlan(queryId, coordinatorEpoch, coordinator, backend.getId(), options, fragments, instances);
    }
}
