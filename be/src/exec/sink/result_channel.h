// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/status.h"
#include "exec/pipeline/dependency.h"
#include "exec/sink/table_writer.h"

namespace thetis {

/// Where the result sink puts encoded rows and the table sink its counters. Thread-safe.
class ResultChannel {
public:
    virtual ~ResultChannel() = default;
    /// Null when there is room, else ready when the reader took some.
    virtual DependencyPtr blocked() = 0;
    virtual Status put(std::string packets, int64_t num_rows) = 0;
    virtual void put_load(LoadCounters counters) = 0;
};

}  // namespace thetis
