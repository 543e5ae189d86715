// SPDX-License-Identifier: Apache-2.0
#include "storage/tablet/tablet.h"

#include "base/logging.h"
#include "storage/tablet/load_marks.h"
#include "storage/tablet/point_view.h"

namespace thetis {

namespace {

// Only uniqueness matters, so relaxed ordering is enough.
std::atomic<uint64_t> next_instance{1};

}  // namespace

Tablet::Tablet(
    TabletMeta meta,
    std::string directory,
    std::function<void()> on_damaged,
    std::shared_ptr<SegmentCache> open_segments
)
    : instance_(next_instance.fetch_add(1, std::memory_order_relaxed)),
      meta_(std::move(meta)),
      directory_(std::move(directory)),
      on_damaged_(std::move(on_damaged)),
      schema_(meta_.schema),
      cumulative_point_(meta_.cumulative_point),
      is_shadow_(meta_.is_shadow),
      point_views_(std::move(open_segments)) {}

TabletMeta Tablet::record() const {
    MutexLock lock(mutex_);
    TabletMeta record = meta_;
    record.schema = schema_;
    record.cumulative_point = cumulative_point_;
    record.is_shadow = is_shadow_;
    return record;
}

TabletSchemaPtr Tablet::schema() const {
    MutexLock lock(mutex_);
    return schema_;
}

void Tablet::set_schema(TabletSchemaPtr schema) {
    MutexLock lock(mutex_);
    schema_ = std::move(schema);
}

int64_t Tablet::cumulative_point() const {
    MutexLock lock(mutex_);
    return cumulative_point_;
}

void Tablet::set_cumulative_point(int64_t point) {
    MutexLock lock(mutex_);
    cumulative_point_ = point;
}

bool Tablet::is_shadow() const {
    MutexLock lock(mutex_);
    return is_shadow_;
}

void Tablet::end_shadow(HistoryEnd end, SteadyTime now) {
    {
        MutexLock lock(mutex_);
        for (const RowsetPtr& rowset : end.covered) {
            std::erase(visible_, rowset);
            stale_.push_back({rowset, now});
        }
        for (const auto& [before, after] : end.replaced) {
            std::replace(visible_.begin(), visible_.end(), before, after);
        }
        if (end.history != nullptr) {
            pending_marks_.erase(end.history->meta().txn_id);
            pending_.erase(end.history->meta().txn_id);
            visible_.push_back(std::move(end.history));
        }
        is_shadow_ = false;
        latest_ = nullptr;
        layout_.fetch_add(1, std::memory_order_release);
        version_added_.notify_all();
    }
    for (const RowsetPtr& rowset : end.covered) {
        rowset->close_segments();
    }
}

void Tablet::note_damage(const Status& reason, bool hides_rows) const {
    {
        MutexLock lock(mutex_);
        hides_rows_ = hides_rows_ || hides_rows;
        if (!damage_.ok()) {
            return;
        }
        damage_ = reason;
    }
    LOG_ERROR("replica is damaged tablet_id={} reason={}", id(), reason.message());
    if (on_damaged_) {
        on_damaged_();
    }
}

Status Tablet::damage() const {
    MutexLock lock(mutex_);
    return damage_;
}

Status Tablet::check_readable() const {
    MutexLock lock(mutex_);
    return hides_rows_ ? damage_.with_context("Tablet {} is damaged", id()) : Status();
}

std::vector<VersionRange> Tablet::ranges() const {
    std::vector<VersionRange> result;
    result.reserve(visible_.size());
    for (const RowsetPtr& rowset : visible_) {
        result.push_back({rowset->start_version(), rowset->end_version()});
    }
    return result;
}

Result<std::shared_ptr<const RowsetSnapshot>> Tablet::snapshot(int64_t version) const {
    MutexLock lock(mutex_);
    return snapshot_locked(version);
}

Result<std::shared_ptr<const RowsetSnapshot>> Tablet::open_update_base() {
    // In one step: a compaction that does not see the base yet has only merged versions up to it.
    MutexLock lock(mutex_);
    auto base = std::make_shared<const RowsetSnapshot>();
    if (!is_shadow_) {
        ASSIGN_OR_RETURN(base, snapshot_locked(max_contiguous_version(ranges())));
    }
    update_bases_.insert(base->version);
    return base;
}

void Tablet::close_update_base(int64_t version) {
    MutexLock lock(mutex_);
    if (const auto found = update_bases_.find(version); found != update_bases_.end()) {
        update_bases_.erase(found);
    }
}

int64_t Tablet::oldest_update_base() const {
    MutexLock lock(mutex_);
    int64_t oldest = update_bases_.empty() ? INT64_MAX : *update_bases_.begin();
    for (const auto& [txn_id, rowset] : pending_) {
        if (rowset->meta().partial_update.has_value()) {
            oldest = std::min(oldest, rowset->meta().partial_update->base_version);
        }
    }
    return oldest;
}

Result<std::shared_ptr<const RowsetSnapshot>> Tablet::snapshot_locked(int64_t version) const {
    if (latest_ != nullptr && latest_->version == version) {
        return latest_;
    }
    std::vector<RowsetPtr> rowsets(visible_);
    std::vector<VersionRange> all = ranges();
    auto path = find_version_path(all, version);
    if (!path.has_value() && !stale_.empty()) {
        // A version inside what a compaction made one: its inputs are kept for a while. Of several
        // with one range the newest has the marks of all later loads, so they come in that order.
        rowsets.clear();
        for (const StaleRowset& stale : stale_) {
            rowsets.push_back(stale.rowset);
        }
        rowsets.insert(rowsets.end(), visible_.begin(), visible_.end());
        all.clear();
        for (const RowsetPtr& rowset : rowsets) {
            all.push_back({rowset->start_version(), rowset->end_version()});
        }
        path = find_version_path(all, version);
    }
    if (!path.has_value()) {
        return Status::error(
            ErrorCode::kMissingVersion,
            "Tablet {} does not have version {}, only all up to {}",
            id(),
            version,
            max_contiguous_version(all)
        );
    }
    auto snapshot = std::make_shared<RowsetSnapshot>();
    snapshot->version = version;
    for (const size_t position : *path) {
        snapshot->rowsets.push_back(rowsets[position]);
    }
    latest_ = std::move(snapshot);
    return latest_;
}

Result<std::shared_ptr<const PointView>> Tablet::point_view(int64_t version) const {
    const uint64_t layout = layout_.load(std::memory_order_acquire);
    std::shared_ptr<const PointView> previous;
    if (auto kept = point_views_.find(version, layout, previous)) {
        return kept;
    }
    RETURN_IF_ERROR(check_readable());
    ASSIGN_OR_RETURN(auto rowsets, snapshot(version));
    auto view = PointView::create(std::move(rowsets), previous.get());
    previous = nullptr;
    point_views_.keep(view, layout);
    return view;
}

void Tablet::add_visible(RowsetPtr rowset) {
    MutexLock lock(mutex_);
    for (const RowsetPtr& each : visible_) {
        if (each->meta().rowset_id == rowset->meta().rowset_id) {
            return;
        }
    }
    const auto pending = pending_.find(rowset->meta().txn_id);
    if (pending != pending_.end() &&
        pending->second->meta().rowset_id == rowset->meta().rowset_id) {
        pending_marks_.erase(pending->first);
        pending_.erase(pending);
    }
    visible_.push_back(std::move(rowset));
    version_added_.notify_all();
}

bool Tablet::has_version(int64_t version) const {
    MutexLock lock(mutex_);
    return std::any_of(visible_.begin(), visible_.end(), [version](const RowsetPtr& rowset) {
        return rowset->start_version() <= version && version <= rowset->end_version();
    });
}

bool Tablet::wait_for_version(int64_t version, SteadyTime deadline) const {
    MutexLock lock(mutex_);
    const auto is_there = [this, version]() REQUIRES(mutex_) {
        return std::any_of(visible_.begin(), visible_.end(), [version](const RowsetPtr& rowset) {
            return rowset->start_version() <= version && version <= rowset->end_version();
        });
    };
    while (!is_there()) {
        if (std::chrono::steady_clock::now() >= deadline) {
            return false;
        }
        version_added_.wait_until(mutex_, deadline);
    }
    return true;
}

std::vector<RowsetPtr> Tablet::visible_rowsets() const {
    MutexLock lock(mutex_);
    return visible_;
}

void Tablet::add_pending(RowsetPtr rowset, std::shared_ptr<LoadMarks> marks) {
    MutexLock lock(mutex_);
    const int64_t txn_id = rowset->meta().txn_id;
    pending_[txn_id] = std::move(rowset);
    if (marks != nullptr) {
        pending_marks_[txn_id] = std::move(marks);
    }
}

std::shared_ptr<LoadMarks> Tablet::find_pending_marks(int64_t txn_id) const {
    MutexLock lock(mutex_);
    const auto found = pending_marks_.find(txn_id);
    return found == pending_marks_.end() ? nullptr : found->second;
}

RowsetPtr Tablet::find_pending(int64_t txn_id) const {
    MutexLock lock(mutex_);
    const auto found = pending_.find(txn_id);
    return found == pending_.end() ? nullptr : found->second;
}

RowsetPtr Tablet::find_published(int64_t txn_id) const {
    MutexLock lock(mutex_);
    const auto found =
        std::find_if(visible_.begin(), visible_.end(), [txn_id](const RowsetPtr& rowset) {
            return rowset->meta().txn_id == txn_id;
        });
    return found == visible_.end() ? nullptr : *found;
}

void Tablet::remove_pending(int64_t txn_id) {
    MutexLock lock(mutex_);
    pending_.erase(txn_id);
    pending_marks_.erase(txn_id);
}

std::vector<int64_t> Tablet::pending_transactions() const {
    MutexLock lock(mutex_);
    std::vector<int64_t> transactions;
    for (const auto& [txn_id, rowset] : pending_) {
        transactions.push_back(txn_id);
    }
    return transactions;
}

bool Tablet::holds(const std::vector<RowsetPtr>& rowsets) const {
    MutexLock lock(mutex_);
    for (const RowsetPtr& rowset : rowsets) {
        if (std::find(visible_.begin(), visible_.end(), rowset) == visible_.end()) {
            return false;
        }
    }
    return true;
}

bool Tablet::knows(const std::string& rowset_id) const {
    MutexLock lock(mutex_);
    for (const RowsetPtr& rowset : visible_) {
        if (rowset->meta().rowset_id == rowset_id) {
            return true;
        }
    }
    for (const auto& [txn_id, rowset] : pending_) {
        if (rowset->meta().rowset_id == rowset_id) {
            return true;
        }
    }
    for (const StaleRowset& stale : stale_) {
        if (stale.rowset->meta().rowset_id == rowset_id) {
            return true;
        }
    }
    return false;
}

bool Tablet::replace(const std::vector<RowsetPtr>& inputs, RowsetPtr output, SteadyTime now) {
    {
        MutexLock lock(mutex_);
        for (const RowsetPtr& input : inputs) {
            if (std::find(visible_.begin(), visible_.end(), input) == visible_.end()) {
                return false;
            }
        }
        for (const RowsetPtr& input : inputs) {
            visible_.erase(std::find(visible_.begin(), visible_.end(), input));
            stale_.push_back({input, now});
        }
        visible_.push_back(std::move(output));
        latest_ = nullptr;
        layout_.fetch_add(1, std::memory_order_release);
    }
    for (const RowsetPtr& input : inputs) {
        input->close_segments();
    }
    return true;
}

std::vector<RowsetPtr> Tablet::take_stale(SteadyTime before) {
    MutexLock lock(mutex_);
    std::vector<RowsetPtr> taken;
    if (!stale_.empty()) {
        latest_ = nullptr;  // May hold some.
    }
    std::erase_if(stale_, [&](const StaleRowset& stale) {
        // Who holds it, such as a partial update that began before it was replaced, may have closed
        // files and open them again. Nobody comes by one but under this lock.
        const bool may_go = stale.since <= before && stale.rowset.use_count() == 1;
        if (may_go) {
            taken.push_back(stale.rowset);
        }
        return may_go;
    });
    if (!taken.empty()) {
        layout_.fetch_add(1, std::memory_order_release);
    }
    return taken;
}

std::vector<RowsetPtr> Tablet::contiguous_rowsets() const {
    MutexLock lock(mutex_);
    const std::vector<VersionRange> all = ranges();
    std::vector<RowsetPtr> rowsets;
    for (const size_t position :
         find_version_path(all, max_contiguous_version(all)).value_or(std::vector<size_t>())) {
        rowsets.push_back(visible_[position]);
    }
    return rowsets;
}

std::vector<RowsetPtr> Tablet::stale_rowsets() const {
    MutexLock lock(mutex_);
    std::vector<RowsetPtr> rowsets;
    for (const StaleRowset& stale : stale_) {
        rowsets.push_back(stale.rowset);
    }
    return rowsets;
}

CompactionHistory Tablet::compaction_history(size_t kind) const {
    MutexLock lock(mutex_);
    return histories_[kind];
}

void Tablet::set_compaction_history(size_t kind, CompactionHistory history) {
    MutexLock lock(mutex_);
    histories_[kind] = std::move(history);
}

Tablet::Summary Tablet::summary() const {
    MutexLock lock(mutex_);
    const std::vector<VersionRange> all = ranges();
    Summary summary;
    summary.contiguous_version = max_contiguous_version(all);
    summary.num_versions = static_cast<int64_t>(visible_.size());
    for (const VersionRange& range : all) {
        summary.max_version = std::max(summary.max_version, range.end);
    }
    const auto path = find_version_path(all, summary.contiguous_version);
    for (const size_t position : path.value_or(std::vector<size_t>())) {
        const RowsetMeta& meta = visible_[position]->meta();
        summary.num_rows +=
            meta.num_rows -
            visible_[position]->delete_bitmap().num_rows(summary.contiguous_version);
        summary.data_size_bytes += meta.data_size_bytes;
        summary.num_segments += static_cast<int64_t>(meta.segments.size());
        summary.score += meta.is_overlapping ? static_cast<int64_t>(meta.segments.size()) : 1;
    }
    return summary;
}

int64_t Tablet::num_versions() const {
    MutexLock lock(mutex_);
    return static_cast<int64_t>(visible_.size());
}

std::vector<RowsetPtr> Tablet::rowsets() const {
    MutexLock lock(mutex_);
    std::vector<RowsetPtr> all(visible_);
    for (const auto& [txn_id, rowset] : pending_) {
        all.push_back(rowset);
    }
    return all;
}

}  // namespace thetis
