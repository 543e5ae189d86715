// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/thread/mutex.h"
#include "storage/meta/metadata_store.h"
#include "storage/rowset/rowset.h"
#include "storage/tablet/compaction_history.h"
#include "storage/tablet/kept_views.h"
#include "storage/tablet/version_graph.h"

namespace thetis {

class LoadMarks;
class PointView;

/// One shard replica: its schema, its visible rowsets by version, and rowsets that are committed
/// but not yet visible. Only the state in memory; metadata is written by its owner, the engine,
/// before the state changes here. Thread-safe.
class Tablet {
public:
    /// `on_damaged`, if set, is called once, when the first damage is noted; from any thread.
    /// `open_segments` may be null, as for rowsets.
    Tablet(
        TabletMeta meta,
        std::string directory,
        std::function<void()> on_damaged = {},
        std::shared_ptr<SegmentCache> open_segments = nullptr
    );

    int64_t id() const { return meta_.tablet_id; }

    /// Tells it from every tablet that this process had under the same id.
    uint64_t instance() const { return instance_; }

    /// As it was when the tablet was made or loaded; what changes is in record().
    const TabletMeta& meta() const { return meta_; }

    /// What metadata has to say of it now.
    TabletMeta record() const;

    /// Rowsets that start below it are merged by base compaction, the others by cumulative
    /// compaction.
    int64_t cumulative_point() const;
    void set_cumulative_point(int64_t point);
    /// Of a schema change: its history [2-v] is still to come.
    bool is_shadow() const;

    /// The converted history is there, or never needed. Those rowsets go that it covers, others get
    /// their final form; all in one step.
    struct HistoryEnd {
        RowsetPtr history;  ///< Null: there is none.
        std::vector<RowsetPtr> covered;
        std::vector<std::pair<RowsetPtr, RowsetPtr>> replaced;  ///< By a rowset of the same files.
    };

    void end_shadow(HistoryEnd end, SteadyTime now);

    /// The newest schema that a load brought.
    TabletSchemaPtr schema() const;
    void set_schema(TabletSchemaPtr schema);

    /// Where its files are.
    const std::string& directory() const { return directory_; }

    /// Remembers that something stored of the tablet cannot be read, so that the replica is
    /// reported as bad; the first reason stays until the process ends. `hides_rows`: answers from
    /// what is still readable would be wrong, as when a delete bitmap is lost.
    void note_damage(const Status& reason, bool hides_rows = false) const;
    /// The reason; ok while none is known.
    Status damage() const;
    /// An error when the tablet cannot give right answers.
    Status check_readable() const;

    /// The rowsets of [0-version]; missing_version, naming what is there, when some version is not.
    Result<std::shared_ptr<const RowsetSnapshot>> snapshot(int64_t version) const;

    /// The same for key look-ups, with what they opened before (KeptViews); merge-on-write only.
    Result<std::shared_ptr<const PointView>> point_view(int64_t version) const;

    /// KeptViews::drop_idle
    void drop_idle_point_views() { point_views_.drop_idle(); }

    /// The newest complete version, for a partial update to take old rows from; of a shadow, whose
    /// history is still to come, version 0, which has none. It counts for oldest_update_base()
    /// until close_update_base(its version).
    Result<std::shared_ptr<const RowsetSnapshot>> open_update_base();
    void close_update_base(int64_t version);
    /// The least version that a partial update, being written or committed but not published, took
    /// old rows from; INT64_MAX when there is none.
    int64_t oldest_update_base() const;

    /// Idempotent by rowset id. The rowset leaves the pending ones.
    void add_visible(RowsetPtr rowset);
    bool has_version(int64_t version) const;

    /// Waits until the version is there; false when the deadline came first.
    bool wait_for_version(int64_t version, SteadyTime deadline) const;
    /// Every visible rowset, in no order.
    std::vector<RowsetPtr> visible_rowsets() const;

    /// `marks`: what a merge-on-write load does to the rows that were visible at its commit; null:
    /// not known yet.
    void add_pending(RowsetPtr rowset, std::shared_ptr<LoadMarks> marks = nullptr);
    /// Null when they are not known (the process was started again since).
    std::shared_ptr<LoadMarks> find_pending_marks(int64_t txn_id) const;
    /// Null when the transaction has none here.
    RowsetPtr find_pending(int64_t txn_id) const;
    /// The visible rowset that a transaction became; null when there is none.
    RowsetPtr find_published(int64_t txn_id) const;
    void remove_pending(int64_t txn_id);
    std::vector<int64_t> pending_transactions() const;

    /// Whether these are all visible, not replaced.
    bool holds(const std::vector<RowsetPtr>& rowsets) const;
    /// Whether a visible, pending or replaced rowset has this id.
    bool knows(const std::string& rowset_id) const;
    /// Puts the result of a compaction in the place of its inputs, which stay readable for
    /// snapshots of versions inside it. False, changing nothing, when an input is not there any
    /// more.
    bool replace(const std::vector<RowsetPtr>& inputs, RowsetPtr output, SteadyTime now);
    /// Forgets replaced rowsets older than `before` that nobody holds; their files may go.
    std::vector<RowsetPtr> take_stale(SteadyTime before);
    /// Those on the path to the largest contiguous version, ascending.
    std::vector<RowsetPtr> contiguous_rowsets() const;
    /// Replaced ones whose files are still there.
    std::vector<RowsetPtr> stale_rowsets() const;

    static constexpr size_t kNumCompactionKinds = 3;
    /// By kind of compaction, a number below kNumCompactionKinds.
    CompactionHistory compaction_history(size_t kind) const;
    void set_compaction_history(size_t kind, CompactionHistory history);

    struct Summary {
        int64_t contiguous_version = -1;
        int64_t max_version = -1;
        int64_t num_rows = 0;
        int64_t data_size_bytes = 0;
        int64_t num_versions = 0;
        int64_t num_segments = 0;
        int64_t score = 0;  ///< Sorted runs that a scan of everything merges.
    };

    /// Of the visible rowsets on the path to the largest contiguous version.
    Summary summary() const;
    int64_t num_versions() const;
    std::vector<RowsetPtr> rowsets() const;

private:
    struct StaleRowset {
        RowsetPtr rowset;
        SteadyTime since;
    };

    std::vector<VersionRange> ranges() const REQUIRES(mutex_);
    Result<std::shared_ptr<const RowsetSnapshot>> snapshot_locked(int64_t version) const
        REQUIRES(mutex_);

    const uint64_t instance_;
    const TabletMeta meta_;
    const std::string directory_;
    const std::function<void()> on_damaged_;
    mutable Mutex mutex_;  // Guards all below; innermost.
    mutable CondVar version_added_;
    TabletSchemaPtr schema_ GUARDED_BY(mutex_);
    int64_t cumulative_point_ GUARDED_BY(mutex_);
    bool is_shadow_ GUARDED_BY(mutex_);
    std::vector<RowsetPtr> visible_ GUARDED_BY(mutex_);
    std::map<int64_t, RowsetPtr> pending_ GUARDED_BY(mutex_);
    std::map<int64_t, std::shared_ptr<LoadMarks>> pending_marks_ GUARDED_BY(mutex_);
    std::multiset<int64_t> update_bases_ GUARDED_BY(mutex_);  // Of partial updates being written.
    std::vector<StaleRowset> stale_ GUARDED_BY(mutex_);
    std::array<CompactionHistory, kNumCompactionKinds> histories_ GUARDED_BY(mutex_);
    mutable Status damage_ GUARDED_BY(mutex_);
    mutable bool hides_rows_ GUARDED_BY(mutex_) = false;
    mutable std::shared_ptr<const RowsetSnapshot> latest_ GUARDED_BY(mutex_
    );  // The last one asked for.
    // Counts what makes views hold rowsets that are no longer wanted; a view of an older layout is
    // right, only wasteful, so no order with the rest is needed.
    std::atomic<uint64_t> layout_{0};
    mutable KeptViews point_views_;
};

}  // namespace thetis
