// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "exec/filter/runtime_filter.h"
#include "exec/pipeline/exec_context.h"
#include "exec/pipeline/operator.h"
#include "exec/scan/scan_provider.h"
#include "expr/expression.h"

namespace thetis {

/// A join's filter together with the value of this scan's output it speaks about.
struct RuntimeFilterProbe {
    std::shared_ptr<RuntimeFilter> filter;
    ExpressionPtr probe;
};

/// What one scan node reads; fixed when the plan is built.
struct TabletScanSpec {
    struct Range {
        int64_t tablet_id = 0;
        int64_t version = 0;
    };

    std::vector<Range> ranges;
    ReadOptions options;                   ///< With the predicates storage applies.
    std::vector<ExpressionPtr> conjuncts;  ///< What remains to be evaluated, over the output.
    std::vector<RuntimeFilterProbe> runtime_filters;
    bool count_only = false;
};

/// The counters of a scan in the query's profile.
struct ScanCounters {
    explicit ScanCounters(OperatorProfile& profile);
    void add(const ScanStatistics& statistics) const;

private:
    struct Entry {
        int64_t ScanStatistics::* field;
        std::atomic<int64_t>* counter;
    };

    std::vector<Entry> entries_;
};

/// Shared by the tasks of one scan: opens tablets when first needed and hands out morsels.
class TabletScanState {
public:
    TabletScanState(TabletScanSpec spec, ExecContext& context, OperatorProfile& profile)
        : spec_(std::move(spec)), context_(context), counters_(profile) {}

    const TabletScanSpec& spec() const { return spec_; }

    ExecContext& context() { return context_; }

    /// The next morsel; a null pointer at the end.
    Result<std::unique_ptr<MorselReader>> next_morsel();

    /// Whether storage applies the filter exactly, so that rows need no further test.
    bool is_done_by_storage(const RuntimeFilterProbe& probe) const;

    /// COUNT only: the rows of the next tablet that knows them without reading; negative at the
    /// end, when `next_morsel` gives what must be read.
    Result<int64_t> next_row_count();

    /// Thread-safe.
    void add_statistics(const ScanStatistics& statistics);

private:
    Status open_locked(const TabletScanSpec::Range& range);
    void add_runtime_predicates(ReadOptions& options) const;

    const TabletScanSpec spec_;
    ExecContext& context_;
    const ScanCounters counters_;
    std::mutex
        mutex_;  // Guards all below. Opening a tablet is done under it: pruning, no page reads.
    size_t next_range_ = 0;
    std::vector<TabletScanSpec::Range> uncounted_;  // COUNT only: tablets that must be read.
    size_t next_uncounted_ = 0;
    std::shared_ptr<const TabletMorsels> current_;
    size_t next_in_current_ = 0;
};

/// Reads morsels, evaluates what storage could not, applies runtime filters.
class TabletScanSource final : public Source {
public:
    explicit TabletScanSource(std::shared_ptr<TabletScanState> state);
    Result<Poll> next(Batch& batch) override;
    void close() override;

private:
    Result<Poll> next_count(Batch& batch);
    Status apply_filters(Batch& batch);

    std::shared_ptr<TabletScanState> state_;
    EvalContext eval_;
    std::unique_ptr<MorselReader> reader_;
    int64_t pending_count_ = 0;
    bool is_counting_;  // Tablets that know their rows come first.
};

}  // namespace thetis
