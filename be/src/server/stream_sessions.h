// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "service_fragment.pb.h"
#include "service_tablet_writer.pb.h"

namespace thetis {

class FragmentManager;
class LoadChannels;
template <typename Reply>
class ReplyStream;
template <typename Request>
class StreamSession;

/// Gives a query's result chunks one after the other; the fetcher's disconnect ends the query.
std::shared_ptr<StreamSession<pb::FetchRequest>> make_fetch_session(
    FragmentManager& fragments, std::shared_ptr<ReplyStream<pb::ResultChunk>> replies
);

/// Hands exchange pieces to their receivers and answers each when it was taken.
std::shared_ptr<StreamSession<pb::TransmitRequest>> make_transmit_session(
    FragmentManager& fragments, std::shared_ptr<ReplyStream<pb::TransmitReply>> replies
);

/// Receives the rows of one sender of a load.
std::shared_ptr<StreamSession<pb::WriterRequest>> make_writer_session(
    LoadChannels& loads, std::shared_ptr<ReplyStream<pb::WriterReply>> replies
);

}  // namespace thetis
