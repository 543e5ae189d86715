// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exec/exchange/exchange_transport.h"

namespace thetis {

class DataPlaneClient;

/// Exchange channels over Transmit streams: one stream per channel.
class GrpcExchangeTransport final : public ExchangeTransport {
public:
    /// `client` outlives the transport and its channels.
    explicit GrpcExchangeTransport(DataPlaneClient& client) : client_(client) {}

    std::unique_ptr<ExchangeChannel> open(const ExchangeAddress& address) override;

private:
    DataPlaneClient& client_;
};

}  // namespace thetis
