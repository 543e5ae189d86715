// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/cluster_state.h"
#include "base/status.h"

namespace thetis {

/// Parses `host:port,host:port`; `default_port` where none is given.
Result<std::vector<ServiceAddress>> parse_addresses(std::string_view text, int default_port);

/// The address this machine is known by: in one of `priority_networks` (`CIDR;CIDR`) when given,
/// else the one that traffic to `peer` leaves from, else the loopback address.
std::string choose_own_address(std::string_view priority_networks, const ServiceAddress& peer);

}  // namespace thetis
