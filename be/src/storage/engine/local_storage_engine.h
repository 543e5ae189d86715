// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <thread>
#include <unordered_map>
#include <vector>

#include "base/be_settings.gen.h"
#include "base/thread/mutex.h"
#include "io/cache/page_cache.h"
#include "storage/compaction/compaction.h"
#include "storage/engine/busy_ids.h"
#include "storage/engine/compaction_scheduler.h"
#include "storage/engine/data_directory.h"
#include "storage/engine/storage_engine.h"
#include "storage/tablet/tablet.h"

namespace thetis {

class LoadMarks;
struct PublishPlan;
struct PublishStep;

/// The storage engine over local disks.
class LocalStorageEngine final : public StorageEngine {
public:
    explicit LocalStorageEngine(StorageOptions options);
    ~LocalStorageEngine() override;

    /// Opens all directories and loads all tablets; called once, before anything else.
    Status start(const std::vector<StoragePath>& paths);

    Status create_tablet(const CreateTabletRequest& request) override;
    Status drop_tablet(int64_t tablet_id) override;
    std::shared_ptr<Tablet> find_tablet(int64_t tablet_id) const override;
    Result<std::shared_ptr<Tablet>> get_tablet(int64_t tablet_id) const override;
    Result<std::unique_ptr<TabletWriter>> open_writer(int64_t tablet_id, WriterOptions options)
        override;
    std::vector<TabletOutcome> commit_empty(
        int64_t txn_id, const std::string& load_id, std::span<const int64_t> tablet_ids
    ) override;
    Result<std::shared_ptr<const TabletReader>> open_reader(
        int64_t tablet_id, int64_t version, ReadOptions options
    ) const override;
    Status delete_data(const DeleteRequest& request) override;
    Status convert_tablet(const ConversionRequest& request) override;
    bool is_converted(int64_t shadow_tablet_id) const override;
    std::vector<TabletOutcome> publish_version(
        int64_t txn_id, std::span<const TabletVersion> tablets
    ) override;
    Status clear_transaction(int64_t txn_id) override;
    std::vector<int64_t> pending_transactions() const override;
    std::vector<TabletReport> tablet_reports(std::span<const int64_t> tablet_ids) const override;
    std::vector<DiskUsage> disk_usage() const override;

    int64_t load_memory_bytes() const override { return load_budget_.used_bytes(); }

    int64_t page_cache_bytes() const override { return page_cache_->counts().bytes; }

    void clear_page_cache() override { page_cache_->clear(); }

    SegmentCache::Counts segment_cache_counts() const override { return open_segments_->counts(); }

    void clear_segment_cache() override { open_segments_->clear(); }

    Result<bool> compact_tablet(int64_t tablet_id, std::optional<CompactionKind> kind) override;
    Result<std::shared_ptr<RequestedCompaction>> request_compaction(
        int64_t tablet_id, CompactionKind kind
    ) override;
    std::map<int64_t, CompactionKind> active_compactions() const override;
    std::vector<int64_t> tablets_of_table(int64_t table_id) const override;
    void run_garbage_collection() override;
    void shutdown() override;

private:
    struct Entry {
        std::shared_ptr<Tablet> tablet;
        DataDirectory* directory = nullptr;  // Owned by directories_, which outlive all entries.
    };

    Status open_directory(const StoragePath& path);
    Status load_directory(DataDirectory& directory);
    void start_writing(DataDirectory& directory);
    std::optional<Entry> find_entry(int64_t tablet_id) const;
    std::vector<Entry> all_entries() const;
    Result<DataDirectory*> choose_directory() const;
    Result<bool> commit(
        const std::shared_ptr<Tablet>& tablet,
        RowsetMeta meta,
        const TabletSchemaPtr& schema = nullptr
    );
    /// Under the tablet's claim.
    Result<bool> record_commit(
        const Entry& entry,
        const RowsetPtr& rowset,
        std::shared_ptr<LoadMarks> marks,
        const TabletSchemaPtr& schema
    );
    /// What a merge-on-write load does to what is visible now; null for other loads.
    Result<std::shared_ptr<LoadMarks>> find_marks(const Tablet& tablet, const RowsetPtr& load)
        const;
    /// Completes the marks for what became visible since the commit; may give the load a further
    /// segment. Under the tablet's claim.
    Status complete_marks(const Entry& entry, const RowsetPtr& load, PublishStep& step) const;
    /// `earlier`: see Rowset's constructor.
    std::shared_ptr<const Rowset> make_rowset(
        const Tablet& tablet,
        const DataDirectory& directory,
        RowsetMeta meta,
        const Rowset* earlier = nullptr
    ) const;
    Status plan_publish(
        int64_t txn_id, const TabletVersion& wanted, size_t outcome, PublishPlan& plan
    );
    Status wait_for_predecessor(const TabletVersion& wanted, SteadyTime deadline) const;
    void publish_all(
        int64_t txn_id, std::span<const TabletVersion> tablets, std::vector<TabletOutcome>& outcomes
    );
    void make_visible(PublishStep& step);
    Status drop_pending(const Entry& entry, int64_t txn_id);
    std::string next_rowset_id();
    void notify_changed() const;
    void run_background();
    /// Also looks at what a full disk would refuse.
    Status check_room(const DataDirectory& directory) const;
    /// Slows writers down as a tablet comes near its limit of versions; refuses at the limit.
    Status admit_writer(const Tablet& tablet, SteadyTime deadline);

    void start_compactions();
    CompactionLimits compaction_limits(const Tablet& tablet) const;
    void add_compaction_candidate(const Tablet& tablet);
    Result<bool> compact(const Entry& entry, CompactionKind kind, bool is_forced);
    Status move_cumulative_point(const Entry& entry, int64_t point);
    Status check_present(const Entry& entry) const;
    CompactionTask describe_compaction(const Entry& entry, const std::vector<RowsetPtr>& inputs);
    Status reserve_compaction_memory(int64_t bytes);
    void release_compaction_memory(int64_t bytes);
    Status merge(
        const Entry& entry,
        CompactionKind kind,
        const std::vector<RowsetPtr>& inputs,
        int64_t cumulative_point
    );
    Status replace_rowsets(
        const Entry& entry,
        const std::vector<RowsetPtr>& inputs,
        const RowsetPtr& merged,
        const RowPositions& positions,
        int64_t cumulative_point
    );
    /// Marks of versions after the merged ones follow their rows.
    static void move_marks(
        const std::vector<RowsetPtr>& inputs,
        const Rowset& merged,
        const RowPositions& positions,
        MetadataChange& change
    );

    std::unique_ptr<TabletWriter> make_writer(const Entry& entry, WriterOptions options);
    /// Writes the base's rows into the history of the shadow, part by part: what is recorded of an
    /// earlier attempt at the same rows stays.
    Status write_history(
        const Entry& shadow,
        const Tablet& base,
        const TabletReader& reader,
        const ConversionRequest& request,
        int64_t version
    );
    /// Adds a part to what is recorded of the history, durably.
    Status record_history(const Entry& shadow, RowsetMeta part);
    /// Files of the rowset that are not recorded, from a part that did not come to its end.
    Status drop_unrecorded_files(const Entry& shadow, const RowsetMeta& recorded);
    /// Puts what the conversion wrote in the place of versions up to `version`.
    Status finish_conversion(const Entry& shadow, int64_t txn_id, int64_t version);
    /// Merge-on-write: gives double-written versions, ascending, the form they have on top of the
    /// history, which `end` has; records it in `change`. Gives the bytes added.
    Result<int64_t> settle_double_writes(
        const Entry& shadow,
        std::span<const RowsetPtr> later,
        Tablet::HistoryEnd& end,
        MetadataChange& change
    ) const;

    void sweep_stale_rowsets();
    /// Files of this rowset are no orphans while the result lives.
    std::shared_ptr<const void> hold_rowset_id(const std::string& rowset_id);
    /// Removes files that no metadata names and nobody is writing.
    Status remove_orphans(DataDirectory& directory);
    Status remove_orphan_files(const Tablet& tablet, const std::string& path);

    const StorageOptions options_;
    const std::unique_ptr<const Config> own_config_;  // When the caller gave none.
    const StorageSettings settings_;
    const std::shared_ptr<const FileSystem> fs_;
    const std::shared_ptr<SegmentCache> open_segments_;
    LoadBudget load_budget_;
    std::shared_ptr<MemoryTracker> load_memory_;
    std::shared_ptr<MemoryTracker> compaction_memory_;
    std::unique_ptr<PageCache> page_cache_;
    const std::string id_prefix_;
    std::atomic<uint64_t> next_id_{1};  // Only uniqueness matters.
    std::vector<std::unique_ptr<DataDirectory>> directories_;
    BusyIds busy_transactions_;
    BusyIds busy_tablets_;

    mutable SharedMutex mutex_;  // Guards tablets_; not held during I/O.
    std::unordered_map<int64_t, Entry> tablets_ GUARDED_BY(mutex_);

    Mutex background_mutex_;  // Guards what is marked so below; innermost.
    CondVar background_wake_;
    bool stopping_ GUARDED_BY(background_mutex_) = false;
    int64_t compaction_bytes_ GUARDED_BY(background_mutex_) = 0;
    std::multiset<std::string> held_rowset_ids_ GUARDED_BY(background_mutex_);
    SteadyTime last_orphan_search_{std::chrono::steady_clock::now()};  // Of the collector's thread.
    std::atomic<bool> refuses_writers_{false
    };  // Set once; late readers only start one writer more.
    BusyIds busy_compactions_;
    BusyIds busy_conversions_;  // Taken before busy_tablets_.
    std::thread background_;
    std::unique_ptr<CompactionScheduler> compactions_;  // Null without background work.
};

}  // namespace thetis
