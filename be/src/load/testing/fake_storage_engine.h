// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>

#include "storage/engine/storage_engine.h"

namespace thetis {

/// A storage engine that only counts rows; for tests of the layers above storage.
class FakeStorageEngine final : public StorageEngine {
public:
    void fail_tablet(int64_t tablet_id) {
        std::lock_guard lock(mutex_);
        failing_.insert(tablet_id);
    }

    int64_t committed_rows(int64_t tablet_id) {
        std::lock_guard lock(mutex_);
        return committed_[tablet_id];
    }

    /// Appends wait from now on until open_gate().
    void close_gate() {
        std::lock_guard lock(gate_mutex_);
        gate_closed_ = true;
    }

    void open_gate() {
        std::lock_guard lock(gate_mutex_);
        gate_closed_ = false;
        gate_.notify_all();
    }

    int num_open_writers() const { return open_writers_.load(); }

    Status create_tablet(const CreateTabletRequest& request) override {
        std::lock_guard lock(mutex_);
        created_.insert(request.tablet_id);
        return {};
    }

    Status drop_tablet(int64_t tablet_id) override {
        std::lock_guard lock(mutex_);
        created_.erase(tablet_id);
        return {};
    }

    std::shared_ptr<Tablet> find_tablet(int64_t) const override { return nullptr; }

    Result<std::shared_ptr<Tablet>> get_tablet(int64_t tablet_id) const override {
        return Status::error(ErrorCode::kTabletNotFound, "tablet {}", tablet_id);
    }

    int num_writers_opened() const { return writers_opened_.load(); }

    /// How the last writer of that tablet was opened.
    WriterOptions writer_options(int64_t tablet_id) {
        std::lock_guard lock(mutex_);
        return options_[tablet_id];
    }

    std::vector<TabletOutcome> commit_empty(
        int64_t, const std::string&, std::span<const int64_t> tablet_ids
    ) override {
        std::lock_guard lock(mutex_);
        ++empty_commits_;
        std::vector<TabletOutcome> outcomes;
        for (int64_t tablet_id : tablet_ids) {
            committed_[tablet_id] += 0;
            outcomes.push_back({tablet_id, {}});
        }
        return outcomes;
    }

    int num_empty_commits() const { return empty_commits_.load(); }

    Result<std::unique_ptr<TabletWriter>> open_writer(int64_t tablet_id, WriterOptions options)
        override {
        std::lock_guard lock(mutex_);
        ++writers_opened_;
        options_[tablet_id] = std::move(options);
        if (failing_.contains(tablet_id)) {
            return Status::error(ErrorCode::kDiskFull, "tablet {} is told to fail", tablet_id);
        }
        return std::unique_ptr<TabletWriter>(std::make_unique<Writer>(*this, tablet_id));
    }

    Result<std::shared_ptr<const TabletReader>> open_reader(int64_t tablet_id, int64_t, ReadOptions)
        const override {
        return Status::error(ErrorCode::kTabletNotFound, "tablet {}", tablet_id);
    }

    Status delete_data(const DeleteRequest&) override { return {}; }

    Status convert_tablet(const ConversionRequest&) override { return {}; }

    bool is_converted(int64_t) const override { return true; }

    std::vector<TabletOutcome> publish_version(int64_t, std::span<const TabletVersion> tablets)
        override {
        std::vector<TabletOutcome> outcomes;
        for (const auto& tablet : tablets) {
            outcomes.push_back({tablet.tablet_id, {}});
        }
        return outcomes;
    }

    Status clear_transaction(int64_t) override { return {}; }

    std::vector<int64_t> pending_transactions() const override { return {}; }

    std::vector<TabletReport> tablet_reports(std::span<const int64_t>) const override {
        std::lock_guard lock(mutex_);
        std::vector<TabletReport> reports;
        for (int64_t id : created_) {
            reports.push_back({.tablet_id = id, .version = 1, .max_version = 1});
        }
        return reports;
    }

    std::vector<DiskUsage> disk_usage() const override {
        return {{"/fake", "HDD", 100, 50, 10, true}};
    }

    int64_t load_memory_bytes() const override { return 0; }

    int64_t page_cache_bytes() const override { return 0; }

    void clear_page_cache() override {}

    SegmentCache::Counts segment_cache_counts() const override { return {}; }

    void clear_segment_cache() override {}

    void run_garbage_collection() override {}

    Result<bool> compact_tablet(int64_t, std::optional<CompactionKind>) override { return false; }

    Result<std::shared_ptr<RequestedCompaction>> request_compaction(int64_t, CompactionKind)
        override {
        return Status::error(ErrorCode::kNotSupported, "compaction");
    }

    std::map<int64_t, CompactionKind> active_compactions() const override { return {}; }

    std::vector<int64_t> tablets_of_table(int64_t) const override { return {}; }

    void shutdown() override {}

private:
    class Writer final : public TabletWriter {
    public:
        Writer(FakeStorageEngine& engine, int64_t tablet_id)
            : engine_(engine), tablet_id_(tablet_id) {
            ++engine_.open_writers_;
        }

        ~Writer() override { --engine_.open_writers_; }

        Status append(const Batch&, std::span<const uint16_t> rows) override {
            {
                std::unique_lock lock(engine_.gate_mutex_);
                engine_.gate_.wait(lock, [this] { return !engine_.gate_closed_; });
            }
            num_rows_ += static_cast<int64_t>(rows.size());
            return cancelled_ ? Status::error(ErrorCode::kCancelled, "cancelled") : Status();
        }

        Status append(const Batch& batch) override {
            num_rows_ += batch.num_selected();
            return {};
        }

        Status close() override {
            if (cancelled_) {
                return Status::error(ErrorCode::kCancelled, "cancelled");
            }
            std::lock_guard lock(engine_.mutex_);
            engine_.committed_[tablet_id_] += num_rows_;
            return {};
        }

        void cancel() override { cancelled_ = true; }

        int64_t num_rows() const override { return num_rows_; }

        int64_t num_missing_keys() const override { return 0; }

        int64_t tablet_id() const override { return tablet_id_; }

    private:
        FakeStorageEngine& engine_;
        const int64_t tablet_id_;
        std::atomic<int64_t> num_rows_{0};
        std::atomic<bool> cancelled_{false};
    };

    mutable std::mutex mutex_;  // Guards all below but the counter.
    std::set<int64_t> failing_;
    std::set<int64_t> created_;
    std::map<int64_t, int64_t> committed_;
    std::map<int64_t, WriterOptions> options_;
    std::mutex gate_mutex_;
    std::condition_variable gate_;
    bool gate_closed_ = false;
    std::atomic<int> open_writers_{0};
    std::atomic<int> writers_opened_{0};
    std::atomic<int> empty_commits_{0};
};

}  // namespace thetis
