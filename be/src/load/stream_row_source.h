// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "exec/scan/row_source.h"
#include "format/row_reader.h"
#include "load/body_pipe.h"

namespace thetis {

/// Feeds a load's pipeline from its body: bytes out of the pipe, batches out of the reader.
class StreamRowSource final : public RowSource {
public:
    StreamRowSource(std::shared_ptr<BodyPipe> pipe, std::unique_ptr<RowReader> reader)
        : pipe_(std::move(pipe)), reader_(std::move(reader)) {}

    Result<Poll> next(Batch& batch) override;

    void close() override { pipe_->close(); }

private:
    std::shared_ptr<BodyPipe> pipe_;
    std::unique_ptr<RowReader> reader_;
    std::string bytes_;
    bool input_finished_ = false;
};

}  // namespace thetis
