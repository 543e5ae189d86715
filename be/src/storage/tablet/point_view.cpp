// SPDX-License-Identifier: Apache-2.0
#include "storage/tablet/point_view.h"

#include <algorithm>
#include <roaring/roaring.hh>
#include <utility>

#include "storage/tablet/key_search.h"

namespace thetis {

PointSegment::PointSegment(RowsetPtr rowset, size_t position)
    : rowset_(std::move(rowset)), position_(position), file_(rowset_->meta().segments[position]) {}

PointSegment::~PointSegment() {
    delete opened_.load(std::memory_order_acquire);
}

Result<const PointSegment::Opened*> PointSegment::open() const {
    if (const Opened* opened = opened_.load(std::memory_order_acquire)) {
        return opened;
    }
    auto made = std::make_unique<Opened>();
    ASSIGN_OR_RETURN(const auto segments, rowset_->segments());
    made->segment = segments[position_];
    ASSIGN_OR_RETURN(made->keys, made->segment->primary_key_index());
    if (made->keys == nullptr) {
        return Status::error(
            ErrorCode::kNotSupported, "No primary-key index in {}", made->segment->path()
        );
    }
    ASSIGN_OR_RETURN(made->filter, made->keys->filter());
    // Two threads may have read it; one result is kept.
    MutexLock lock(mutex_);
    if (opened_.load(std::memory_order_relaxed) == nullptr) {
        opened_.store(made.release(), std::memory_order_release);
    }
    return opened_.load(std::memory_order_relaxed);
}

std::shared_ptr<const PointView> PointView::create(
    std::shared_ptr<const RowsetSnapshot> snapshot, const PointView* previous
) {
    auto view = std::make_shared<PointView>(std::move(snapshot));
    const RowsetSnapshot& rowsets = *view->snapshot_;
    const auto is_same = [](const Place& place, const RowsetPtr& rowset, uint32_t segment_id) {
        return place.segment->rowset() == rowset && place.segment->id() == segment_id;
    };
    // Both are in the same order, so what is kept is found by walking along.
    size_t next = 0;
    for (const RowsetPtr& rowset : newest_first(rowsets.rowsets)) {
        view->base_version_ = rowset->end_version();
        const std::vector<SegmentFile>& segments = rowset->meta().segments;
        for (size_t i = segments.size(); i-- > 0;) {
            if (segments[i].num_rows == 0) {
                continue;
            }
            Place place{
                .segment = nullptr,
                .end_version = rowset->end_version(),
                .deleted = rowsets.delete_bitmap(*rowset, segments[i].id)
            };
            if (previous != nullptr) {
                const std::vector<Place>& old = previous->places_;
                size_t at = next;
                while (at < old.size() && !is_same(old[at], rowset, segments[i].id)) {
                    ++at;
                }
                if (at < old.size()) {
                    place.segment = old[at].segment;
                    next = at + 1;
                }
            }
            if (place.segment == nullptr) {
                place.segment = std::make_shared<PointSegment>(rowset, i);
            }
            view->places_.push_back(std::move(place));
        }
    }
    return view;
}

Result<PointView::Row> PointView::find(std::string_view key, uint64_t hash) const {
    for (const Place& place : places_) {
        if (!place.segment->may_hold(key)) {
            continue;
        }
        ASSIGN_OR_RETURN(const PointSegment::Opened* const opened, place.segment->open());
        if (!opened->filter->may_contain(hash)) {
            continue;
        }
        ASSIGN_OR_RETURN(const auto row, opened->keys->find(key));
        if (row.has_value() && (place.deleted == nullptr || !place.deleted->contains(*row))) {
            return Row{&place, opened, *row};
        }
    }
    return Row{};
}

Result<bool> PointView::may_have_changed(std::string_view key, uint64_t hash, int64_t version)
    const {
    if (version < base_version_) {
        return true;
    }
    for (const Place& place : places_) {
        if (place.end_version <= version) {
            break;
        }
        if (!place.segment->may_hold(key)) {
            continue;
        }
        ASSIGN_OR_RETURN(const PointSegment::Opened* const opened, place.segment->open());
        if (!opened->filter->may_contain(hash)) {
            continue;
        }
        ASSIGN_OR_RETURN(const auto row, opened->keys->find(key));
        if (row.has_value()) {
            return true;
        }
    }
    return false;
}

int64_t PointView::num_open() const {
    return std::count_if(places_.begin(), places_.end(), [](const Place& place) {
        return place.segment->is_open();
    });
}

}  // namespace thetis
