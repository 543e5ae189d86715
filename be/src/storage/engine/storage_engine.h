// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/memory/tracker.h"
#include "base/status.h"
#include "storage/compaction/compaction_policy.h"
#include "storage/engine/row_transform.h"
#include "storage/predicate/delete_filter.h"
#include "storage/rowset/segment_cache.h"
#include "storage/tablet/tablet_reader.h"
#include "storage/tablet/tablet_writer.h"
#include "storage/tablet_schema.h"

namespace thetis {

class Config;
class DebugPoints;
class RequestedCompaction;
class Tablet;

/// One data directory. `capacity_bytes` 0: what the disk has.
struct StoragePath {
    std::string path{};
    int64_t capacity_bytes = 0;
    std::string medium = "HDD";
};

/// Parses `path[,medium:SSD|HDD][,capacity:GB];...` (also `path.SSD`), the form of
/// `storage_root_path`.
Result<std::vector<StoragePath>> parse_storage_paths(std::string_view text);

/// What the engine takes from the configuration at start. Settings that may change at run time are
/// read from `config`.
struct StorageOptions {
    const Config* config = nullptr;       ///< Outlives the engine; null: the defaults (tests).
    DebugPoints* debug_points = nullptr;  ///< Outlives the engine; null: no faults.
    int64_t memory_limit_bytes =
        0;  ///< Of the process; the page cache's share is taken of it. 0: that of the machine.
    int64_t load_memory_limit_bytes =
        0;  ///< Of all loads' memtables together; 0: half of the memory limit.
    std::shared_ptr<MemoryTracker> process_memory{
    };  ///< Parent of what loads and the page cache take; may be null.
    bool sync_files = true;     ///< fsync segment files and directories before a commit.
    bool sync_metadata = true;  ///< fsync the metadata log at commit.
    int background_interval_ms =
        10'000;  ///< Period of garbage collection; 0: no background work at all.
    DeleteFilterCompiler compile_filter{};  ///< Needed for delete_data; may be empty (tests).
    std::function<void()> on_tablets_changed{
    };  ///< Called after publish, create, drop and found damage, without locks; may be empty.
};

struct CreateTabletRequest {
    int64_t tablet_id = 0;
    int64_t partition_id = 0;
    int64_t replica_id = 0;
    TabletSchemaPtr schema{};
    int64_t version = 1;  ///< The tablet starts with an empty rowset [0-version].
    /// Of a schema change: takes versions before its history is converted, in any order.
    bool is_shadow = false;
};

/// A condition whose rows a transaction deletes from one tablet.
struct DeleteRequest {
    int64_t txn_id = 0;
    int64_t tablet_id = 0;
    std::string condition{};   ///< In the form that StorageOptions::compile_filter reads.
    TabletSchemaPtr schema{};  ///< What it is over; null: the tablet's own.
};

struct TabletVersion {
    int64_t tablet_id = 0;
    int64_t version = 0;
};

/// What became of one tablet in a call about several.
struct TabletOutcome {
    int64_t tablet_id = 0;
    Status status{};
};

struct TabletReport {
    int64_t tablet_id = 0;
    int64_t partition_id = 0;
    int32_t schema_version = 0;
    int64_t version = 0;      ///< Largest version with no gap below it.
    int64_t max_version = 0;  ///< Above `version` when one is missing in between.
    int64_t num_rows = 0;
    int64_t data_size_bytes = 0;
    int64_t num_versions = 0;
    int64_t num_segments = 0;
    bool is_usable = true;
};

struct DiskUsage {
    std::string path{};
    std::string medium{};
    int64_t total_bytes = 0;
    int64_t available_bytes = 0;
    int64_t used_bytes = 0;  ///< By tablets.
    bool is_usable = true;
};

/// All tablets of a back end: their directories, metadata, writers, readers and background work.
/// The one object of this layer that the process owns; thread-safe. Opening it loads every tablet
/// and removes what an interrupted load left.
class StorageEngine {
public:
    static Result<std::unique_ptr<StorageEngine>> open(
        const std::vector<StoragePath>& paths, StorageOptions options
    );
    virtual ~StorageEngine() = default;

    /// Idempotent: a tablet that exists with the same schema is fine.
    virtual Status create_tablet(const CreateTabletRequest& request) = 0;
    /// Files go at once, or to trash for `trash_file_expire_time_sec`. Unknown tablets are fine.
    /// Running readers go on.
    virtual Status drop_tablet(int64_t tablet_id) = 0;
    /// Null when it is not here.
    virtual std::shared_ptr<Tablet> find_tablet(int64_t tablet_id) const = 0;
    /// tablet_not_found names the id.
    virtual Result<std::shared_ptr<Tablet>> get_tablet(int64_t tablet_id) const = 0;

    /// Refuses with disk_full, too_many_versions or tablet_not_found before any row is taken.
    virtual Result<std::unique_ptr<TabletWriter>> open_writer(
        int64_t tablet_id, WriterOptions options
    ) = 0;
    /// Leaves an empty COMMITTED rowset under the transaction in each of the tablets, with one
    /// durable write for all: what a partition's tablets get that a load had no rows for.
    virtual std::vector<TabletOutcome> commit_empty(
        int64_t txn_id, const std::string& load_id, std::span<const int64_t> tablet_ids
    ) = 0;
    /// get_tablet and TabletReader::open in one.
    virtual Result<std::shared_ptr<const TabletReader>> open_reader(
        int64_t tablet_id, int64_t version, ReadOptions options
    ) const = 0;

    /// Leaves a COMMITTED rowset without rows that, once published, hides what the condition is
    /// true for in lower versions. Idempotent by transaction. UNIQUE tablets, whose rows are
    /// deleted by key, refuse.
    virtual Status delete_data(const DeleteRequest& request) = 0;

    /// Converts the history of a base tablet into its shadow, which is an ordinary tablet from then
    /// on. Double-written versions stay on top. Idempotent; a conversion that was cut off goes on
    /// behind what it recorded, or from its beginning if the base was compacted since.
    virtual Status convert_tablet(const ConversionRequest& request) = 0;
    /// Whether the tablet is here and no shadow (any more).
    virtual bool is_converted(int64_t shadow_tablet_id) const = 0;

    /// Turns the transaction's COMMITTED rowset of each tablet into version [v-v], durably.
    /// Idempotent. A tablet without a rowset of this transaction fails with transaction_not_found,
    /// unless version v is there already.
    virtual std::vector<TabletOutcome> publish_version(
        int64_t txn_id, std::span<const TabletVersion> tablets
    ) = 0;
    /// Drops COMMITTED rowsets of the transaction that were not published. Idempotent.
    virtual Status clear_transaction(int64_t txn_id) = 0;
    /// Transactions with COMMITTED, unpublished rowsets.
    virtual std::vector<int64_t> pending_transactions() const = 0;

    /// Of the named tablets that are here; of all when the list is empty.
    virtual std::vector<TabletReport> tablet_reports(std::span<const int64_t> tablet_ids) const = 0;
    virtual std::vector<DiskUsage> disk_usage() const = 0;
    /// Bytes of memtables of all loads.
    virtual int64_t load_memory_bytes() const = 0;
    virtual int64_t page_cache_bytes() const = 0;
    virtual void clear_page_cache() = 0;
    virtual SegmentCache::Counts segment_cache_counts() const = 0;
    /// Closes the segments that nobody reads.
    virtual void clear_segment_cache() = 0;

    /// Merges rowsets of the tablet; false when there are none to merge. Without a kind as the
    /// policy finds, which background work does for tablets with new versions unless
    /// `disable_auto_compaction`; with a kind everything that this kind may merge.
    virtual Result<bool> compact_tablet(
        int64_t tablet_id, std::optional<CompactionKind> kind = std::nullopt
    ) = 0;
    /// Has background work do that soon; already_exists when a compaction of the tablet runs.
    virtual Result<std::shared_ptr<RequestedCompaction>> request_compaction(
        int64_t tablet_id, CompactionKind kind
    ) = 0;
    /// Tablets whose compaction runs or was asked for.
    virtual std::map<int64_t, CompactionKind> active_compactions() const = 0;
    virtual std::vector<int64_t> tablets_of_table(int64_t table_id) const = 0;

    /// One round of garbage collection: the trash, and rowsets that a compaction replaced.
    virtual void run_garbage_collection() = 0;

    /// Stops background work and refuses new writers; called by the destructor as well.
    virtual void shutdown() = 0;
};

}  // namespace thetis
