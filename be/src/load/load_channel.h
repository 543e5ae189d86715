// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/thread/mutex.h"
#include "column/batch.h"
#include "exec/pipeline/query_id.h"
#include "storage/rowset/rowset_meta.h"
#include "storage/tablet_schema.h"

namespace thetis {

class StorageEngine;
class TabletSlot;
class ThreadPool;

/// Rows of one batch for one tablet, by position.
struct TabletRows {
    int64_t tablet_id = 0;
    int64_t partition_id = 0;
    std::vector<uint16_t> rows;
};

/// How tablets of one index are written. The first index of a load is the table's own, further ones
/// are shadows of a schema change.
struct LoadIndex {
    TabletSchemaPtr schema;
    std::vector<int32_t> column_unique_ids;  ///< The columns that batches have, in order.
    bool partial_update = false;  ///< Columns that are left out keep what the key's row has.
    bool partial_update_existing_only = false;  ///< A new key is a bad row.
    std::vector<NewValue> new_values{};         ///< Of a new key, where columns are left out.
};

/// Tablets of one index.
struct IndexTablets {
    uint32_t index = 0;
    std::vector<int64_t> tablet_ids;
};

/// How one back end ended its part of a load.
struct LoadCloseResult {
    Status status;  ///< Not ok: nothing was committed here.
    std::vector<int64_t> committed;
    std::vector<std::pair<int64_t, Status>> failed;
    /// Tablets of which rows were left out, as their keys are not there. One sender is told: the
    /// same one by all back ends.
    std::vector<std::pair<int64_t, int64_t>> missing_keys;
};

/// What a load on this back end is.
struct LoadChannelOptions {
    QueryId load_id;
    int64_t txn_id = 0;
    SteadyTime deadline;
    int num_senders = 1;
    std::vector<LoadIndex> indexes;  ///< At least one.
};

/// One load's tablets on this back end: opens a storage writer for each tablet that rows come for,
/// appends on a shared pool (rows of one tablet in order, tablets in parallel), commits when every
/// sender closed. A tablet that fails does not fail the others; the sender judges by quorum.
/// Thread-safe; nothing here blocks the caller.
class LoadChannel : public std::enable_shared_from_this<LoadChannel> {
public:
    using CloseCallback = std::function<void(const LoadCloseResult&)>;

    /// `engine` and `pool` outlive the channel. `on_end` is called once, after the last tablet was
    /// committed or cancelled.
    LoadChannel(
        StorageEngine& engine,
        ThreadPool& pool,
        LoadChannelOptions options,
        std::function<void()> on_end
    );
    ~LoadChannel();

    const LoadChannelOptions& options() const { return options_; }

    /// Appends rows to tablets of one index. `consumed` is called once, when the rows are in
    /// memtables (or dropped), from any thread.
    void write(
        uint32_t index,
        std::shared_ptr<const Batch> batch,
        std::vector<TabletRows> tablets,
        std::function<void(Status)> consumed
    );

    /// A sender has no more rows. `touched`: all tablets here of the partitions it wrote to; those
    /// without rows from any sender are committed empty, together. All callbacks get the one result
    /// when the last sender closed and every tablet ended.
    void close_sender(int sender_id, std::vector<IndexTablets> touched, CloseCallback done);

    /// Drops everything not yet committed. Idempotent.
    void cancel(const Status& reason);

    size_t num_tablets() const;

private:
    std::shared_ptr<TabletSlot> slot_of(uint32_t index, int64_t tablet_id);
    void commit_all();
    void commit_empty(const std::vector<int64_t>& tablet_ids);
    void tablet_closed(int64_t tablet_id, const Status& status, int64_t num_missing_keys);
    void end(LoadCloseResult result);

    StorageEngine& engine_;
    ThreadPool& pool_;
    const LoadChannelOptions options_;

    mutable Mutex mutex_;  // Guards all below. Taken before a slot's lock, never held over storage
                           // calls or callbacks.
    std::map<int64_t, std::shared_ptr<TabletSlot>> slots_ GUARDED_BY(mutex_);
    std::set<int64_t> touched_ GUARDED_BY(mutex_);
    std::set<int> closed_senders_ GUARDED_BY(mutex_);
    std::multimap<int, CloseCallback> close_callbacks_ GUARDED_BY(mutex_);  // By sender.
    LoadCloseResult result_ GUARDED_BY(mutex_);
    size_t open_tablets_ GUARDED_BY(mutex_) = 0;
    bool ended_ GUARDED_BY(mutex_) = false;
    Status cancel_reason_ GUARDED_BY(mutex_);
    std::function<void()> on_end_ GUARDED_BY(mutex_);
};

}  // namespace thetis
