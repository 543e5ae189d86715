// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "column/batch.h"
#include "exec/pipeline/dependency.h"

namespace thetis::wire {
class TableSink;
}

namespace thetis {

class ExecContext;

/// What a load wrote, as FE needs it to commit.
struct LoadCounters {
    struct Commit {
        int64_t tablet_id = 0;
        int64_t backend_id = 0;
    };

    int64_t loaded_rows = 0;
    int64_t filtered_rows = 0;
    int64_t unselected_rows = 0;
    int64_t loaded_bytes = 0;
    std::vector<Commit> tablets;
    std::string error_url;
    std::string first_error;
};

/// Routes rows of one load to tablets and their replicas. Shared by all tasks of the fragment:
/// write() is thread-safe.
class TableWriter {
public:
    virtual ~TableWriter() = default;

    /// Null when write() may be called; else becomes ready when bytes in flight fell below the
    /// budget.
    virtual DependencyPtr blocked() = 0;

    /// Takes a batch (all schema columns in order, may carry a selection) and returns at once;
    /// sending goes on behind.
    virtual Status write(const Batch& batch) = 0;

    /// All rows were given: flushes and closes on every replica. `done` is called once, from any
    /// thread.
    virtual void finish(std::function<void(Result<LoadCounters>)> done) = 0;

    /// Gives up and removes what was written. Idempotent; `done` of a running finish() is still
    /// called, with an error.
    virtual void cancel(const Status& reason) = 0;
};

/// Opens writers; implemented by the load layer.
class TableWriterFactory {
public:
    virtual ~TableWriterFactory() = default;
    /// Must not block on the network: opening streams goes on behind and errors come out of write()
    /// or finish().
    virtual Result<std::shared_ptr<TableWriter>> open(
        const wire::TableSink& sink, ExecContext& context
    ) = 0;
};

}  // namespace thetis
