// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <set>

#include "base/thread/mutex.h"
#include "exec/sink/table_writer.h"
#include "load/backend_writer.h"
#include "load/further_index.h"
#include "load/in_flight_bytes.h"
#include "load/partition_router.h"

namespace thetis {

class DataPlaneClient;
class LoadChannels;
class RowErrors;

/// What a routed writer is about.
struct RoutedWriterOptions {
    int64_t max_bytes_in_flight = int64_t{32} << 20;
    bool fail_without_partition =
        false;  ///< A row no partition takes is an error instead of a bad row.
    std::shared_ptr<InFlightBytes> in_flight{};  ///< Of all loads; null: only this one's count.
    std::vector<FurtherIndex> further_indexes{};
    EvalContext eval{};  ///< For the further indexes' expressions.
};

/// Sends the rows of a load to every replica of the tablets they belong to, with bounded bytes in
/// flight. Fails early when a majority of a tablet's replicas is lost; otherwise what was committed
/// is reported and the front end judges.
class RoutedTableWriter final : public TableWriter,
                                public std::enable_shared_from_this<RoutedTableWriter> {
public:
    using Backends = std::map<int64_t, std::shared_ptr<BackendWriter>>;

    /// `errors` may be null (INSERT): bad rows are then only counted.
    RoutedTableWriter(
        RoutedWriterOptions options,
        std::unique_ptr<PartitionRouter> router,
        Backends backends,
        std::shared_ptr<RowErrors> errors
    );

    DependencyPtr blocked() override;
    Status write(const Batch& batch) override;
    void finish(std::function<void(Result<LoadCounters>)> done) override;
    void cancel(const Status& reason) override;

private:
    /// Rows of one batch by tablet index.
    using RowsByTablet = std::map<uint32_t, std::vector<uint16_t>>;

    using BackendTablets = std::map<int64_t, std::vector<IndexTablets>>;

    bool may_send() const REQUIRES(mutex_);
    Status convert(Batch& batch, std::vector<Batch>& further);
    Status split(const Batch& batch, RowsByTablet& rows);
    Status reject_row(const Batch& batch, uint32_t row, const std::string& reason);
    void send(uint32_t index, const Batch& batch, const RowsByTablet& rows);
    void send_to(
        BackendWriter& backend,
        int64_t backend_id,
        uint32_t index,
        OutgoingBatch& batch,
        std::vector<TabletRows> tablets,
        int64_t bytes
    );
    void backend_lost(int64_t backend_id, const Status& status);
    /// Tablets of one index as the router numbers them.
    const std::vector<RoutedTablet>& tablets_of(uint32_t index) const;
    uint32_t num_indexes() const;
    BackendTablets touched_tablets();
    Status judge() REQUIRES(mutex_);
    void count_missing_keys() REQUIRES(mutex_);
    void backend_closed(int64_t backend_id, const LoadCloseResult& result);
    void complete(Result<LoadCounters> result);

    RoutedWriterOptions options_;
    const std::unique_ptr<PartitionRouter> router_;
    const Backends backends_;
    const std::shared_ptr<RowErrors> errors_;
    const DependencyPtr writable_;
    std::atomic<uint32_t> turn_{0};  // Relaxed: only spreads rows over buckets.

    Mutex send_mutex_;  // One batch is sent at a time, so that the order is the same for every
                        // replica. Before mutex_.

    Mutex mutex_;  // Guards all below; writable_'s lock is taken inside it, back ends are called
                   // outside of it.
    int64_t bytes_in_flight_ GUARDED_BY(mutex_) = 0;
    LoadCounters counters_ GUARDED_BY(mutex_);
    std::set<uint32_t> touched_ GUARDED_BY(mutex_);
    std::map<int64_t, Status> lost_backends_ GUARDED_BY(mutex_);
    Status failure_ GUARDED_BY(mutex_);
    std::set<int64_t> closing_ GUARDED_BY(mutex_);
    std::map<int64_t, Status> failed_tablets_ GUARDED_BY(mutex_);
    std::map<int64_t, int64_t> missing_keys_ GUARDED_BY(mutex_);  // Per tablet; replicas agree.
    std::function<void(Result<LoadCounters>)> done_ GUARDED_BY(mutex_);
    bool finished_ GUARDED_BY(mutex_) = false;
};

/// Makes routed writers: the local back end directly, others over streams.
class RoutedTableWriterFactory final : public TableWriterFactory {
public:
    /// All outlive the factory. `data_plane` may be null when there is only one back end (tests).
    RoutedTableWriterFactory(LoadChannels& channels, DataPlaneClient* data_plane)
        : channels_(channels), data_plane_(data_plane) {}

    Result<std::shared_ptr<TableWriter>> open(const wire::TableSink& sink, ExecContext& context)
        override;

private:
    LoadChannels& channels_;
    DataPlaneClient* data_plane_;
};

}  // namespace thetis
