// SPDX-License-Identifier: Apache-2.0
#include "exec/sink/result_sink.h"

#include "exec/sink/mysql_rows.h"

namespace thetis {

Status ResultSink::accept(Batch batch) {
    std::string packets;
    append_mysql_rows(batch, binary_rows_, packets);
    return results_->put(std::move(packets), batch.num_selected());
}

}  // namespace thetis
