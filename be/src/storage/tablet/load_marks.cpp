// SPDX-License-Identifier: Apache-2.0
#include "storage/tablet/load_marks.h"

#include <roaring/roaring.hh>

#include "storage/tablet/key_search.h"

namespace thetis {

namespace {

bool contains(const RowBitmapPtr& rows, uint32_t row) {
    return rows != nullptr && rows->contains(row);
}

/// Takes the keys of one segment of the load through the places of a search.
Status match_segment(
    PrimaryKeyReader& keys,
    KeySearch& search,
    std::span<const std::shared_ptr<RowBitmap>> place_marks,
    RowBitmap& own_marks
) {
    const auto is_live = [&](size_t place, uint32_t row) {
        return !contains(search.places()[place].deleted, row) && !place_marks[place]->contains(row);
    };
    RETURN_IF_ERROR(keys.seek_to_first());
    for (; keys.valid();) {
        if (!own_marks.contains(keys.row())) {
            ASSIGN_OR_RETURN(const int found, search.find(keys.key(), is_live));
            if (found >= 0) {
                const auto place = static_cast<size_t>(found);
                const PrimaryKeyReader& there = search.places()[place].keys;
                if (keys.sequence() < there.sequence()) {
                    own_marks.add(keys.row());
                } else {
                    place_marks[place]->add(there.row());
                }
            }
        }
        RETURN_IF_ERROR(keys.next());
    }
    return {};
}

}  // namespace

LoadMarks::LoadMarks() = default;
LoadMarks::~LoadMarks() = default;
LoadMarks::LoadMarks(LoadMarks&&) noexcept = default;
LoadMarks& LoadMarks::operator=(LoadMarks&&) noexcept = default;

LoadMarks::Rows& LoadMarks::rows_of(const std::string& rowset_id, uint32_t segment_id) {
    Rows& rows = rows_[rowset_id][segment_id];
    if (rows == nullptr) {
        rows = std::make_shared<RowBitmap>();
    }
    return rows;
}

Status LoadMarks::resolve_within(const RowsetPtr& load) {
    const std::vector<SegmentFile>& segments = load->meta().segments;
    if (segments.size() < 2) {
        return {};
    }
    const std::string& id = load->meta().rowset_id;
    ASSIGN_OR_RETURN(const auto opened, load->segments());
    for (size_t i = 1; i < segments.size(); ++i) {
        ASSIGN_OR_RETURN(KeySearch search, KeySearch::open_before(load, segments[i].id));
        if (search.empty() || segments[i].num_rows == 0) {
            continue;
        }
        std::vector<Rows> place_marks;
        for (const KeySearch::Place& place : search.places()) {
            place_marks.push_back(rows_of(id, place.segment_id));
        }
        ASSIGN_OR_RETURN(PrimaryKeyReader keys, PrimaryKeyReader::open(opened[i]));
        RETURN_IF_ERROR(match_segment(keys, search, place_marks, *rows_of(id, segments[i].id)));
    }
    return {};
}

Status LoadMarks::resolve(const RowsetPtr& load, std::span<const RowsetPtr> rowsets) {
    std::vector<RowsetPtr> unseen;
    for (const RowsetPtr& rowset : rowsets) {
        if (!has_seen(rowset) && rowset->meta().num_rows > 0) {
            unseen.push_back(rowset);
        }
    }
    if (unseen.empty()) {
        return {};
    }
    ASSIGN_OR_RETURN(const auto opened, load->segments());
    const std::vector<SegmentFile>& segments = load->meta().segments;
    for (size_t i = 0; i < segments.size(); ++i) {
        if (segments[i].num_rows == 0) {
            continue;
        }
        ASSIGN_OR_RETURN(
            KeySearch search,
            KeySearch::open(unseen, INT64_MAX, segments[i].min_key, segments[i].max_key)
        );
        if (search.empty()) {
            continue;
        }
        std::vector<Rows> place_marks;
        for (const KeySearch::Place& place : search.places()) {
            place_marks.push_back(rows_of(place.rowset->meta().rowset_id, place.segment_id));
        }
        ASSIGN_OR_RETURN(PrimaryKeyReader keys, PrimaryKeyReader::open(opened[i]));
        Rows& own = rows_of(load->meta().rowset_id, segments[i].id);
        RETURN_IF_ERROR(match_segment(keys, search, place_marks, *own));
    }
    for (const RowsetPtr& rowset : unseen) {
        seen_.insert(rowset->meta().rowset_id);
    }
    return {};
}

void LoadMarks::mark(const RowsetPtr& load, uint32_t segment_id, uint32_t row) {
    rows_of(load->meta().rowset_id, segment_id)->add(row);
}

void LoadMarks::mark(const RowsetPtr& load, uint32_t segment_id, const RowBitmap& rows) {
    *rows_of(load->meta().rowset_id, segment_id) |= rows;
}

bool LoadMarks::is_marked(const RowsetPtr& load, uint32_t segment_id, uint32_t row) const {
    const auto rowset = rows_.find(load->meta().rowset_id);
    if (rowset == rows_.end()) {
        return false;
    }
    const auto rows = rowset->second.find(segment_id);
    return rows != rowset->second.end() && rows->second->contains(row);
}

RowsetMarks LoadMarks::marks(const RowsetPtr& load, std::span<const RowsetPtr> rowsets) const {
    RowsetMarks result;
    const auto add = [&](const RowsetPtr& rowset) {
        const auto found = rows_.find(rowset->meta().rowset_id);
        if (found == rows_.end()) {
            return;
        }
        for (const auto& [segment_id, rows] : found->second) {
            if (!rows->isEmpty()) {
                result[rowset->meta().rowset_id][segment_id] =
                    std::make_shared<const RowBitmap>(*rows);
            }
        }
    };
    add(load);
    for (const RowsetPtr& rowset : rowsets) {
        add(rowset);
    }
    return result;
}

}  // namespace thetis
