// SPDX-License-Identifier: Apache-2.0
#include "load/stream_row_source.h"

namespace thetis {

Result<Poll> StreamRowSource::next(Batch& batch) {
    for (;;) {
        ASSIGN_OR_RETURN(bool has_rows, reader_->next(batch));
        if (has_rows) {
            return Poll::batch();
        }
        if (input_finished_) {
            return Poll::finished();
        }
        ASSIGN_OR_RETURN(auto pulled, pipe_->pull(bytes_));
        switch (pulled) {
            case BodyPipe::Pull::kBytes:
                RETURN_IF_ERROR(reader_->feed(bytes_));
                break;
            case BodyPipe::Pull::kWait:
                return Poll::blocked(pipe_->readable());
            case BodyPipe::Pull::kEnd:
                input_finished_ = true;
                RETURN_IF_ERROR(reader_->finish_input());
                break;
        }
    }
}

}  // namespace thetis
