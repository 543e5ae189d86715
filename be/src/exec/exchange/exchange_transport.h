// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/status.h"
#include "exec/pipeline/query_id.h"

namespace thetis {

/// One message from a sender to a receiver of an exchange. Mirrors TransmitRequest of
/// service_fragment.proto.
struct TransmitPiece {
    QueryId query_id;
    int32_t fragment_id = 0;  ///< The receiving fragment.
    int32_t exchange_id = 0;
    int32_t sender_id = 0;
    int64_t sequence = 0;
    std::string batch;  ///< Batch codec; empty: none.
    bool eos = false;   ///< This sender is done.
    Status status;      ///< A sender that fails says why, then eos.
};

/// The receiver's answer to one piece, once it took it into its budget.
struct TransmitAck {
    Status status;               ///< The call failed (connection lost, bad piece): the query fails.
    int64_t acknowledged = 0;    ///< Sequence of the piece.
    bool receiver_done = false;  ///< Nothing more is wanted.
};

using TransmitCallback = std::function<void(TransmitAck)>;

/// Where the pieces of one sender go.
struct ExchangeAddress {
    int64_t backend_id = 0;
    std::string host;
    int32_t port = 0;  ///< gRPC data plane.
    QueryId query_id;
    int64_t deadline_ms = 0;  ///< Unix milliseconds; the stream must not outlive it.
};

/// An ordered stream of pieces to one back end. send() is called by one thread at a time and never
/// blocks.
class ExchangeChannel {
public:
    /// Ends the stream. Callbacks not yet made are made with a cancelled status, or not at all.
    virtual ~ExchangeChannel() = default;

    /// `acknowledged` is called once, from any thread, possibly before send() returns. A receiver
    /// that has no room answers late; the sender bounds its bytes in flight.
    virtual void send(TransmitPiece piece, TransmitCallback acknowledged) = 0;
};

/// Opens channels to other back ends; implemented over gRPC Transmit streams by the server.
/// Thread-safe.
class ExchangeTransport {
public:
    virtual ~ExchangeTransport() = default;
    /// Returns at once; connection errors come out of the first acknowledgement.
    virtual std::unique_ptr<ExchangeChannel> open(const ExchangeAddress& address) = 0;
};

}  // namespace thetis
