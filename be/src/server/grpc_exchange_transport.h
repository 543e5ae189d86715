// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exec/exchange/exchange_transport.h"

namespace thetis {

class DataPlaneClient;
class DebugPoints;

/// Exchange channels over Transmit streams: one stream per channel.
class GrpcExchangeTransport final : public ExchangeTransport {
public:
    /// `client` and `debug_points` (may be null) outlive the transport and its channels.
    explicit GrpcExchangeTransport(DataPlaneClient& client, DebugPoints* debug_points = nullptr)
        : client_(client), debug_points_(debug_points) {}

    std::unique_ptr<ExchangeChannel> open(const ExchangeAddress& address) override;

private:
    DataPlaneClient& client_;
    DebugPoints* const debug_points_;
};

}  // namespace thetis
