// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.schedule;

import java.util.function.LongSupplier;
import org.thetis.wire.thrift.NetworkAddress;

/** Who this front end is to back ends: its Thrift address and the epoch that changes at each start of the process. */
public record Coordinator(NetworkAddress address, LongSupplier epoch) {}
