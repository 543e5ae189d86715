// SPDX-License-Identifier: Apache-2.0
#include "storage/merge/merged_columns.h"

#include <numeric>

namespace thetis {

namespace {

/// Positions in one read fit a Selection.
constexpr uint32_t kMaxReadSpan = 1U << 16;

}  // namespace

MergedColumns::MergedColumns(const SegmentScan& scan, std::vector<MergeRun> runs)
    : runs_(std::move(runs)), version_id_(scan.version_id), use_page_cache_(scan.use_page_cache) {}

Result<size_t> MergedColumns::add(const ScanColumn& column, std::string_view aggregation) {
    Entry entry;
    entry.column = column;
    ASSIGN_OR_RETURN(entry.aggregation, parse_value_aggregation(aggregation));
    if (entry.aggregation == ValueAggregation::kSum && column.type.is_string()) {
        return Status::error(
            ErrorCode::kInvalidArgument, "SUM of a column of type {}", column.type.to_string()
        );
    }
    entry.readers.resize(runs_.size());
    entries_.push_back(std::move(entry));
    return entries_.size() - 1;
}

void MergedColumns::start(const MergedRows& rows) {
    rows_ = &rows;
    run_begins_.assign(runs_.size() + 1, 0);
    for (const uint32_t run : rows.runs) {
        ++run_begins_[run + 1];
    }
    std::partial_sum(run_begins_.begin(), run_begins_.end(), run_begins_.begin());
    std::vector<uint32_t> next(run_begins_.begin(), run_begins_.end() - 1);
    positions_.resize(rows.size());
    row_numbers_.resize(rows.size());
    for (uint32_t i = 0; i < rows.size(); ++i) {
        const uint32_t position = next[rows.runs[i]]++;
        positions_[i] = position;
        row_numbers_[position] = rows.rows[i];
    }
    for (Entry& entry : entries_) {
        entry.values = nullptr;
    }
}

Status MergedColumns::read_run(Entry& entry, uint32_t run, std::vector<ColumnPtr>& parts) {
    auto& reader = entry.readers[run];
    if (reader == nullptr) {
        ASSIGN_OR_RETURN(
            reader,
            ColumnReader::open(runs_[run].source, entry.column, version_id_, use_page_cache_)
        );
    }
    for (uint32_t i = run_begins_[run]; i < run_begins_[run + 1];) {
        const uint32_t first = row_numbers_[i];
        uint32_t end = i + 1;
        while (end < run_begins_[run + 1] && row_numbers_[end] - first < kMaxReadSpan) {
            ++end;
        }
        ColumnPtr part;
        if (row_numbers_[end - 1] - first == end - 1 - i) {
            ASSIGN_OR_RETURN(part, reader->read(first, end - i));
        } else {
            Selection positions(end - i);
            for (uint32_t k = i; k < end; ++k) {
                positions[k - i] = static_cast<uint16_t>(row_numbers_[k] - first);
            }
            ASSIGN_OR_RETURN(part, reader->read(first, positions));
        }
        parts.push_back(std::move(part));
        i = end;
    }
    return {};
}

Status MergedColumns::load(Entry& entry) {
    if (entry.values != nullptr) {
        return {};
    }
    std::vector<ColumnPtr> parts;
    for (uint32_t run = 0; run < runs_.size(); ++run) {
        if (run_begins_[run] < run_begins_[run + 1]) {
            RETURN_IF_ERROR(read_run(entry, run, parts));
        }
    }
    entry.values = parts.size() == 1 ? std::move(parts.front()) : concatenate(parts);
    if (entry.aggregation != ValueAggregation::kReplace) {
        entry.values = entry.values->flatten(entry.values);
    }
    return {};
}

ColumnPtr MergedColumns::pick(const Entry& entry, std::span<const uint32_t> outputs) const {
    const std::vector<uint32_t>& begins = rows_->group_begins;
    std::vector<uint32_t> positions(outputs.size());
    bool has_groups = false;
    for (size_t i = 0; i < outputs.size(); ++i) {
        const uint32_t row = begins.empty() ? outputs[i] : begins[outputs[i]];
        has_groups |= !begins.empty() && begins[outputs[i] + 1] - row > 1;
        positions[i] = positions_[row];
    }
    if (!has_groups) {
        return gather(entry.values, positions.data(), static_cast<uint32_t>(positions.size()));
    }
    std::vector<uint32_t> order;
    std::vector<uint32_t> groups{0};
    groups.reserve(outputs.size() + 1);
    for (const uint32_t output : outputs) {
        order.insert(
            order.end(), positions_.data() + begins[output], positions_.data() + begins[output + 1]
        );
        groups.push_back(static_cast<uint32_t>(order.size()));
    }
    return aggregate_groups(entry.values, entry.aggregation, groups, order);
}

Result<ColumnPtr> MergedColumns::read(size_t column, uint32_t first, uint32_t num_rows) {
    RETURN_IF_ERROR(load(entries_[column]));
    std::vector<uint32_t> outputs(num_rows);
    std::iota(outputs.begin(), outputs.end(), first);
    return pick(entries_[column], outputs);
}

Result<ColumnPtr> MergedColumns::read(size_t column, uint32_t first, const Selection& positions) {
    RETURN_IF_ERROR(load(entries_[column]));
    std::vector<uint32_t> outputs(positions.size());
    for (size_t i = 0; i < positions.size(); ++i) {
        outputs[i] = first + positions[i];
    }
    return pick(entries_[column], outputs);
}

PageReadCounts MergedColumns::counts() const {
    PageReadCounts total;
    for (const Entry& entry : entries_) {
        for (const auto& reader : entry.readers) {
            if (reader != nullptr) {
                total.pages += reader->counts().pages;
                total.pages_from_disk += reader->counts().pages_from_disk;
                total.bytes_from_disk += reader->counts().bytes_from_disk;
            }
        }
    }
    return total;
}

}  // namespace thetis
