// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "column/sort_key.h"
#include "exec/pipeline/operator.h"
#include "exec/pipeline/tracked_vector.h"
#include "expr/expression.h"

namespace thetis {

class RuntimePredicates;

/// Where a Top-N tells a scan below it which rows cannot be in the result any more: a bound on the
/// scan's column that the first key comes from.
struct TopNBound {
    std::shared_ptr<RuntimePredicates> predicates;
    int32_t column_unique_id = 0;
};

/// What a sort orders by and how much of the result is wanted.
struct SortSpec {
    std::vector<ExpressionPtr> keys;
    std::vector<SortOrder> orders;
    std::vector<DataType> types;  ///< Of the input columns.
    int64_t limit = -1;           ///< Negative: all rows.
    int64_t offset = 0;
    std::optional<TopNBound> bound{};  ///< The first key is a plain column then.

    /// Rows that can matter; negative: all.
    int64_t num_kept() const { return limit < 0 ? -1 : limit + offset; }
};

/// The rows of one task with their normalised keys, sorted when its input ends. With a bound it
/// keeps about that many rows: later rows are compared with the worst kept one before they are
/// stored.
class SortRun {
public:
    /// The first 16 bytes of the key as numbers: most comparisons end there.
    struct Entry {
        uint64_t high;
        uint64_t low;
        uint32_t row;
    };

    explicit SortRun(std::shared_ptr<const SortSpec> spec);
    ~SortRun();
    SortRun(const SortRun&) = delete;
    SortRun& operator=(const SortRun&) = delete;

    Status add(Batch batch, EvalContext& eval);
    void sort();

    const std::vector<Batch>& batches() const { return batches_; }

    const TrackedVector<Entry>& entries() const { return entries_; }

    std::string_view key(const Entry& entry) const { return keys_[entry.row]; }

    uint32_t num_rows() const { return num_rows_; }

    /// Order of entries of two runs of one sort.
    static bool less(
        const SortRun& left_run, const Entry& left, const SortRun& right_run, const Entry& right
    ) {
        if (left.high != right.high) {
            return left.high < right.high;
        }
        if (left.low != right.low) {
            return left.low < right.low;
        }
        return left_run.key_decided_ ? false : left_run.key(left) < right_run.key(right);
    }

private:
    static constexpr uint32_t kMinKeptRows = 16 * 1024;

    void add_entries(uint32_t first_row);
    void shrink();
    void publish_bound(uint32_t worst);
    void count_key_bytes();

    std::shared_ptr<const SortSpec> spec_;
    SortKeyEncoder encoder_;
    bool key_decided_;  // Keys have at most 16 bytes.
    std::vector<Batch> batches_;
    SortKeys keys_;
    TrackedVector<Entry> entries_;
    uint32_t num_rows_ = 0;
    bool has_threshold_ = false;
    std::string threshold_;
    uint32_t num_shrinks_ = 0;
    std::shared_ptr<MemoryTracker> memory_ = MemoryScope::current();
    int64_t counted_key_bytes_ = 0;
};

/// Joins the halves of a sort: sorted runs of all tasks, then one ordered output.
class SortState {
public:
    SortState(std::shared_ptr<const SortSpec> spec, int num_sinks)
        : spec_(std::move(spec)), pending_sinks_(num_sinks) {}

    const std::shared_ptr<const SortSpec>& spec() const { return spec_; }

    const DependencyPtr& ready() const { return ready_; }

    void add_run(std::unique_ptr<SortRun> run);

    /// The next rows in order; false at the end. One caller, after ready().
    bool next(uint32_t max_rows, Batch& batch);

private:
    void seal();

    const std::shared_ptr<const SortSpec> spec_;
    const DependencyPtr ready_ = std::make_shared<Dependency>();
    std::mutex mutex_;  // Guards pending_sinks_ and runs_ until ready.
    int pending_sinks_;
    std::vector<std::unique_ptr<SortRun>> runs_;
    std::vector<uint32_t> bases_;
    std::vector<ColumnPtr> columns_;
    std::vector<size_t> heads_;
    int64_t to_skip_ = 0;
    int64_t to_give_ = -1;
};

class SortSink final : public Sink {
public:
    SortSink(std::shared_ptr<SortState> state, EvalContext eval)
        : state_(std::move(state)), eval_(eval), run_(std::make_unique<SortRun>(state_->spec())) {}

    Status accept(Batch batch) override { return run_->add(std::move(batch), eval_); }

    Result<Poll> finish() override;

    void close() override { run_.reset(); }

private:
    std::shared_ptr<SortState> state_;
    EvalContext eval_;
    std::unique_ptr<SortRun> run_;
};

class SortSource final : public Source {
public:
    SortSource(std::shared_ptr<SortState> state, uint32_t batch_size)
        : state_(std::move(state)), batch_size_(batch_size) {}

    Result<Poll> next(Batch& batch) override {
        return state_->next(batch_size_, batch) ? Poll::batch() : Poll::finished();
    }

private:
    std::shared_ptr<SortState> state_;
    uint32_t batch_size_;
};

}  // namespace thetis
