// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "column/builder.h"
#include "exec/scan/scan_provider.h"

namespace thetis::testing {

/// A row of BIGINTs; an absent value is NULL.
using Row = std::vector<std::optional<int64_t>>;

inline Batch batch_of(
    const std::vector<Row>& rows, size_t num_columns, size_t begin = 0, size_t end = SIZE_MAX
) {
    std::vector<DataType> types(num_columns, DataType::of(TypeId::kBigint));
    auto builders = make_builders(types);
    for (size_t r = begin; r < std::min(end, rows.size()); ++r) {
        for (size_t c = 0; c < num_columns; ++c) {
            if (rows[r][c].has_value()) {
                builders[c].append<int64_t>(*rows[r][c]);
            } else {
                builders[c].append_null();
            }
        }
    }
    return finish_batch(builders);
}

/// Tablets that are lists of batches; each batch is a morsel. Applies predicates row by row.
class MemoryScans final : public ScanProvider {
public:
    void add(int64_t tablet_id, std::vector<Batch> batches) {
        tablets_[tablet_id] = std::move(batches);
    }

    void add_rows(
        int64_t tablet_id,
        const std::vector<Row>& rows,
        size_t num_columns,
        size_t rows_per_batch = 1000
    ) {
        std::vector<Batch> batches;
        for (size_t begin = 0; begin < rows.size(); begin += rows_per_batch) {
            batches.push_back(batch_of(rows, num_columns, begin, begin + rows_per_batch));
        }
        add(tablet_id, std::move(batches));
    }

    Result<std::shared_ptr<const TabletMorsels>> open(
        int64_t tablet_id, int64_t, ReadOptions options
    ) override {
        auto found = tablets_.find(tablet_id);
        if (found == tablets_.end()) {
            return Status::error(ErrorCode::kTabletNotFound, "tablet {} is not here", tablet_id);
        }
        return std::shared_ptr<const TabletMorsels>(
            std::make_shared<Morsels>(found->second, std::move(options))
        );
    }

private:
    class Reader final : public MorselReader {
    public:
        Reader(const Batch& batch, const ReadOptions& options) : batch_(batch), options_(options) {}

        Result<bool> next(Batch& batch) override {
            if (is_done_) {
                return false;
            }
            is_done_ = true;
            auto selection = std::make_shared<Selection>();
            for (uint32_t row = 0; row < batch_.num_rows; ++row) {
                if (passes(row)) {
                    selection->push_back(static_cast<uint16_t>(row));
                }
            }
            if (selection->empty()) {
                return false;
            }
            batch = {};
            batch.num_rows = batch_.num_rows;
            for (int32_t id : options_.column_unique_ids) {
                batch.columns.push_back(batch_.columns[static_cast<size_t>(id)]);
            }
            if (selection->size() < batch_.num_rows) {
                batch.selection = std::move(selection);
            }
            return true;
        }

        ScanStatistics statistics() const override {
            ScanStatistics statistics;
            statistics.rows_in_range = batch_.num_rows;
            return statistics;
        }

    private:
        bool passes(uint32_t row) const {
            for (const auto& predicate : options_.predicates) {
                const Column& column =
                    *batch_.columns[static_cast<size_t>(predicate.column_unique_id)];
                if (!passes(predicate, Scalar::from_column(column, row))) {
                    return false;
                }
            }
            return true;
        }

        static bool passes(const ColumnPredicate& predicate, const Scalar& value) {
            if (predicate.op == PredicateOp::kIsNull || predicate.op == PredicateOp::kIsNotNull) {
                return value.is_null() == (predicate.op == PredicateOp::kIsNull);
            }
            if (value.is_null()) {
                return false;
            }
            if (predicate.op == PredicateOp::kFilter) {
                uint8_t answer = 0;
                predicate.filter->test(*value.to_column(), &answer);
                return answer != 0;
            }
            bool is_in = false;
            for (uint32_t i = 0; i < predicate.values->size(); ++i) {
                is_in |= value.compare(Scalar::from_column(*predicate.values, i)) == 0;
            }
            if (predicate.op == PredicateOp::kIn || predicate.op == PredicateOp::kNotIn) {
                return is_in == (predicate.op == PredicateOp::kIn);
            }
            int order = value.compare(Scalar::from_column(*predicate.values, 0));
            switch (predicate.op) {
                case PredicateOp::kEq:
                    return order == 0;
                case PredicateOp::kNe:
                    return order != 0;
                case PredicateOp::kLt:
                    return order < 0;
                case PredicateOp::kLe:
                    return order <= 0;
                case PredicateOp::kGt:
                    return order > 0;
                case PredicateOp::kGe:
                    return order >= 0;
                default:
                    return true;
            }
        }

        const Batch& batch_;
        const ReadOptions& options_;
        bool is_done_ = false;
    };

    class Morsels final : public TabletMorsels {
    public:
        Morsels(const std::vector<Batch>& batches, ReadOptions options)
            : batches_(batches), options_(std::move(options)) {}

        size_t num_morsels() const override { return batches_.size(); }

        Result<std::unique_ptr<MorselReader>> read(size_t morsel) const override {
            return std::unique_ptr<MorselReader>(
                std::make_unique<OwningReader>(batches_[morsel], options_)
            );
        }

        std::optional<int64_t> num_rows() const override {
            int64_t count = 0;
            for (const auto& batch : batches_) {
                count += batch.num_rows;
            }
            return count;
        }

    private:
        class OwningReader final : public MorselReader {
        public:
            OwningReader(Batch batch, ReadOptions options)
                : batch_(std::move(batch)),
                  options_(std::move(options)),
                  reader_(batch_, options_) {}

            Result<bool> next(Batch& batch) override { return reader_.next(batch); }

            ScanStatistics statistics() const override { return reader_.statistics(); }

        private:
            Batch batch_;
            ReadOptions options_;
            Reader reader_;
        };

        const std::vector<Batch>& batches_;
        ReadOptions options_;
    };

    std::map<int64_t, std::vector<Batch>> tablets_;
};

}  // namespace thetis::testing
