// SPDX-License-Identifier: Apache-2.0
#include "storage/merge/row_merger.h"

#include <algorithm>

#include "storage/merge/loser_tree.h"
#include "storage/merge/merge_keys.h"

namespace thetis {

namespace {

/// With more runs than this their windows shrink, so that the keys of all fit the caches.
constexpr size_t kManyRuns = 64;
constexpr uint32_t kSmallWindowRows = 1024;

/// How to turn key columns into keys.
struct KeyShape {
    std::vector<DataType> types;
    SortKeyEncoder encoder;
    bool has_sequence = false;
};

/// The rows of one run that were read and not yet given out, with their keys.
template <typename Key>
class Cursor {
public:
    explicit Cursor(std::unique_ptr<SegmentIterator> rows, uint32_t run)
        : iterator_(std::move(rows)), run_(run) {}

    /// Reads the next window; false at the end. The keys of the window before stay readable.
    Result<bool> load(const KeyShape& shape) {
        Batch batch;
        ASSIGN_OR_RETURN(const bool more, iterator_->next(batch, row_numbers_));
        position_ = 0;
        if (!more) {
            keys_.clear();
            return false;
        }
        const std::span<const ColumnPtr> columns(batch.columns.data(), shape.types.size());
        if constexpr (std::is_same_v<Key, ByteKey>) {
            is_second_ = !is_second_;
            encode_keys(
                shape.encoder, columns, batch.num_rows, is_second_ ? second_ : first_, keys_
            );
        } else {
            pack_keys(shape.types, columns, batch.num_rows, keys_);
        }
        if (shape.has_sequence) {
            pack_sequences(batch.columns.back(), batch.num_rows, sequences_);
        }
        return true;
    }

    uint32_t run() const { return run_; }

    uint32_t num_left() const { return static_cast<uint32_t>(keys_.size()) - position_; }

    const Key& key(uint32_t i) const { return keys_[position_ + i]; }

    const WideKey& sequence(uint32_t i) const { return sequences_[position_ + i]; }

    const uint32_t* row_numbers() const { return row_numbers_.data() + position_; }

    void skip(uint32_t num_rows) { position_ += num_rows; }

    /// Rows from here on whose keys are below `bound`; the first one is known to be not above it.
    uint32_t num_below(const Key& bound) const {
        const uint32_t available = num_left();
        uint32_t step = 1;
        while (step < available && key(step) < bound) {
            step *= 2;
        }
        const auto begin = keys_.begin() + position_;
        return static_cast<uint32_t>(
            std::lower_bound(begin + step / 2, begin + std::min(step, available), bound) - begin
        );
    }

    SegmentIterator& iterator() { return *iterator_; }

private:
    const std::unique_ptr<SegmentIterator> iterator_;
    const uint32_t run_;
    std::vector<uint32_t> row_numbers_;
    std::vector<Key> keys_;
    std::vector<WideKey> sequences_;
    SortKeys first_;  // What keys_ point into, by turns.
    SortKeys second_;
    bool is_second_ = false;
    uint32_t position_ = 0;
};

template <typename Key>
class KeyMerger final : public RowMerger {
public:
    KeyMerger(KeyShape shape, MergeKind kind) : shape_(std::move(shape)), kind_(kind) {}

    Status start(std::vector<std::unique_ptr<SegmentIterator>> iterators) {
        for (size_t i = 0; i < iterators.size(); ++i) {
            auto cursor =
                std::make_unique<Cursor<Key>>(std::move(iterators[i]), static_cast<uint32_t>(i));
            ASSIGN_OR_RETURN(const bool has_rows, cursor->load(shape_));
            if (has_rows) {
                cursors_.push_back(std::move(cursor));
            } else {
                statistics_.add(cursor->iterator().statistics());
            }
        }
        rebuild();
        return {};
    }

    Result<bool> next(uint32_t max_rows, MergedRows& rows) override {
        rows.clear();
        has_last_ = false;
        while (!cursors_.empty() && !is_complete(max_rows, rows)) {
            const uint32_t winner = tree_.winner();
            Cursor<Key>& cursor = *cursors_[winner];
            uint32_t count = 1;
            if (cursors_.size() == 1) {
                count = cursor.num_left();
            } else if (winner == last_winner_) {
                // It won twice: perhaps it goes on for long.
                const uint32_t rival = tree_.runner_up(less());
                count = std::max<uint32_t>(1, cursor.num_below(heads_[rival]));
            }
            last_winner_ = winner;
            give(cursor, count, rows);
            cursor.skip(count);
            RETURN_IF_ERROR(advance(winner));
        }
        if (kind_ == MergeKind::kAggregate && rows.size() > 0) {
            rows.group_begins.push_back(rows.size());
        }
        return rows.size() > 0;
    }

    ScanStatistics statistics() override {
        ScanStatistics total = statistics_;
        for (const auto& cursor : cursors_) {
            total.add(cursor->iterator().statistics());
        }
        return total;
    }

private:
    auto less() const {
        return [this](uint32_t a, uint32_t b) {
            return heads_[a] < heads_[b] || (a < b && heads_[a] == heads_[b]);
        };
    }

    bool is_complete(uint32_t max_rows, const MergedRows& rows) const {
        const bool goes_on =
            kind_ != MergeKind::kAll && has_last_ && heads_[tree_.winner()] == last_key_;
        return rows.size() >= max_rows && !goes_on;
    }

    /// Appends the cursor's next rows; only the first can have the key of the row before.
    void give(const Cursor<Key>& cursor, uint32_t count, MergedRows& rows) {
        const bool repeats = kind_ != MergeKind::kAll && has_last_ && cursor.key(0) == last_key_;
        uint32_t first = 0;
        if (kind_ == MergeKind::kLatest && repeats) {
            first = 1;
            statistics_.rows_merged += 1;
            if (!shape_.has_sequence || !(cursor.sequence(0) < last_sequence_)) {
                rows.runs.back() = cursor.run();
                rows.rows.back() = cursor.row_numbers()[0];
                last_sequence_ = shape_.has_sequence ? cursor.sequence(0) : 0;
            }
        }
        if (kind_ == MergeKind::kAggregate) {
            for (uint32_t i = repeats ? 1 : 0; i < count; ++i) {
                rows.group_begins.push_back(rows.size() + i);
            }
            statistics_.rows_merged += repeats ? 1 : 0;
        }
        if (first < count) {
            rows.runs.resize(rows.runs.size() + count - first, cursor.run());
            rows.rows.insert(
                rows.rows.end(), cursor.row_numbers() + first, cursor.row_numbers() + count
            );
            if (shape_.has_sequence) {
                last_sequence_ = cursor.sequence(count - 1);
            }
        }
        last_key_ = cursor.key(count - 1);
        has_last_ = true;
    }

    Status advance(uint32_t winner) {
        Cursor<Key>& cursor = *cursors_[winner];
        if (cursor.num_left() == 0) {
            ASSIGN_OR_RETURN(const bool more, cursor.load(shape_));
            if (!more) {
                statistics_.add(cursor.iterator().statistics());
                finished_ = std::move(cursors_[winner]);
                cursors_.erase(cursors_.begin() + winner);
                rebuild();
                return {};
            }
        }
        heads_[winner] = cursor.key(0);
        tree_.replay(less());
        return {};
    }

    void rebuild() {
        heads_.clear();
        for (const auto& cursor : cursors_) {
            heads_.push_back(cursor->key(0));
        }
        last_winner_ = UINT32_MAX;
        if (!cursors_.empty()) {
            tree_.build(static_cast<uint32_t>(cursors_.size()), less());
        }
    }

    const KeyShape shape_;
    const MergeKind kind_;
    std::vector<std::unique_ptr<Cursor<Key>>> cursors_;  // With rows left, by age.
    std::unique_ptr<Cursor<Key>> finished_;  // The last to end: last_key_ may point into it.
    std::vector<Key> heads_;
    LoserTree tree_;
    uint32_t last_winner_ = UINT32_MAX;
    Key last_key_{};
    WideKey last_sequence_ = 0;
    bool has_last_ = false;
    ScanStatistics statistics_;
};

template <typename Key>
Result<std::unique_ptr<RowMerger>> make_merger(
    KeyShape shape, MergeKind kind, std::vector<std::unique_ptr<SegmentIterator>> iterators
) {
    auto merger = std::make_unique<KeyMerger<Key>>(std::move(shape), kind);
    RETURN_IF_ERROR(merger->start(std::move(iterators)));
    return std::unique_ptr<RowMerger>(std::move(merger));
}

}  // namespace

Result<std::unique_ptr<RowMerger>> RowMerger::open(
    const TabletSchema& schema, const SegmentScan& scan, std::vector<MergeRun> runs, MergeKind kind
) {
    auto keys = std::make_shared<SegmentScan>(scan);
    keys->output.clear();
    keys->runtime_predicates = nullptr;
    keys->batch_rows = runs.size() > kManyRuns ? kSmallWindowRows : kMaxBatchRows;
    std::vector<DataType> types;
    for (size_t i = 0; i < schema.num_key_columns(); ++i) {
        const SchemaColumn& column = schema.columns()[i];
        types.push_back(column.type);
        keys->output.push_back(
            {.unique_id = column.unique_id,
             .type = column.type,
             .missing_value = column.default_value}
        );
    }
    const bool has_sequence = kind == MergeKind::kLatest && schema.sequence_id().has_value();
    if (has_sequence) {
        const SchemaColumn& column = schema.columns()[*schema.find_column(*schema.sequence_id())];
        if (column.type.is_string()) {
            return Status::error(
                ErrorCode::kNotSupported,
                "A sequence column of type {} is not supported",
                column.type.to_string()
            );
        }
        keys->output.push_back(
            {.unique_id = column.unique_id,
             .type = column.type,
             .missing_value = column.default_value}
        );
    }
    std::vector<std::unique_ptr<SegmentIterator>> iterators;
    for (MergeRun& run : runs) {
        if (!run.source.segment->is_sorted() && !types.empty()) {
            return Status::error(
                ErrorCode::kInternal, "Rows are not in order: {}", run.source.segment->path()
            );
        }
        ASSIGN_OR_RETURN(
            auto iterator, SegmentIterator::open(keys, std::move(run.source), run.rows)
        );
        iterators.push_back(std::move(iterator));
    }
    const uint32_t bits = packed_key_bits(types);
    const bool is_packed = types.empty() || bits > 0;
    KeyShape shape{
        .types = types,
        .encoder = SortKeyEncoder(types, std::vector<SortOrder>(types.size())),
        .has_sequence = has_sequence
    };
    if (is_packed && bits <= 64) {
        return make_merger<uint64_t>(std::move(shape), kind, std::move(iterators));
    }
    if (is_packed && bits <= 128) {
        return make_merger<WideKey>(std::move(shape), kind, std::move(iterators));
    }
    return make_merger<ByteKey>(std::move(shape), kind, std::move(iterators));
}

}  // namespace thetis
