// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "base/thread/mutex.h"
#include "storage/rowset/rowset.h"
#include "storage/segment/primary_key_index.h"

namespace thetis {

/// One segment of a merge-on-write tablet as key look-ups see it, whatever the version: opened when
/// a key first lies within its bounds, and then open with its filter as long as a view has it.
/// Thread-safe.
class PointSegment {
public:
    struct Opened {
        std::shared_ptr<const Segment> segment;
        std::shared_ptr<const PrimaryKeyIndex> keys;
        std::shared_ptr<const SplitBlockFilter> filter;
    };

    /// `position` is that in the metadata of the rowset.
    PointSegment(RowsetPtr rowset, size_t position);
    ~PointSegment();
    PointSegment(const PointSegment&) = delete;
    PointSegment& operator=(const PointSegment&) = delete;

    const RowsetPtr& rowset() const { return rowset_; }

    uint32_t id() const { return file_.id; }

    /// What the version column holds in every row; absent: what is stored.
    std::optional<int64_t> version() const {
        return rowset_->start_version() == rowset_->end_version()
                   ? std::optional(rowset_->start_version())
                   : std::nullopt;
    }

    /// Segments without bounds in their metadata may hold any key.
    bool may_hold(std::string_view key) const {
        return file_.max_key.empty() || (key >= file_.min_key && key <= file_.max_key);
    }

    /// Valid as long as this object. Corruption, not_supported (no primary-key index) and I/O
    /// errors are not remembered.
    Result<const Opened*> open() const;

    bool is_open() const { return opened_.load(std::memory_order_relaxed) != nullptr; }

private:
    const RowsetPtr rowset_;
    const size_t position_;
    const SegmentFile& file_;                             // Of rowset_.
    mutable std::atomic<const Opened*> opened_{nullptr};  // Set once, released after it is made.
    mutable Mutex mutex_;  // Guards who sets opened_; not held while files are read.
};

/// A merge-on-write tablet at one version as key look-ups walk it: segments with rows, newest
/// first, with the rows that are replaced at this version. Immutable, thread-safe, made once per
/// version and change of rowsets.
class PointView {
public:
    struct Place {
        std::shared_ptr<const PointSegment> segment;
        int64_t end_version = 0;
        RowBitmapPtr deleted;  ///< Null: none.
    };

    struct Row {
        const Place* place = nullptr;  ///< Null: there is none.
        const PointSegment::Opened* opened = nullptr;
        uint32_t number = 0;
    };

    /// Takes over what `previous` (may be null) has open.
    static std::shared_ptr<const PointView> create(
        std::shared_ptr<const RowsetSnapshot> snapshot, const PointView* previous
    );

    int64_t version() const { return snapshot_->version; }

    const std::shared_ptr<const RowsetSnapshot>& snapshot() const { return snapshot_; }

    const std::vector<Place>& places() const { return places_; }

    /// The row of a key (make_key_encoder) that no later one replaced; it may have the delete sign.
    /// `hash` is the key's SplitBlockFilter::hash.
    Result<Row> find(std::string_view key, uint64_t hash) const;

    /// Whether anything of versions above `version` may have written or deleted the key. A rowset
    /// that merges that version with later ones counts as later. It holds the newest row of each
    /// key that its versions wrote or deleted, unless an even later rowset does; only those from
    /// version 0 on drop delete-signed rows, so that there the key's absence proves nothing: true.
    Result<bool> may_have_changed(std::string_view key, uint64_t hash, int64_t version) const;

    /// How many segments it has open.
    int64_t num_open() const;

    /// Use create().
    explicit PointView(std::shared_ptr<const RowsetSnapshot> snapshot)
        : snapshot_(std::move(snapshot)) {}

private:
    const std::shared_ptr<const RowsetSnapshot> snapshot_;
    std::vector<Place> places_;  // By end version, descending.
    int64_t base_version_ = 0;   // The last that the oldest rowset has.
};

}  // namespace thetis
