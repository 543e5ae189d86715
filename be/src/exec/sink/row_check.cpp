// SPDX-License-Identifier: Apache-2.0
#include "exec/sink/row_check.h"

#include "column/text_conversion.h"
#include "types/decimal.h"

namespace thetis {

namespace {

using Bad = std::vector<std::pair<uint32_t, std::string>>;

bool has_length(const DataType& type) {
    return (type.id == TypeId::kChar || type.id == TypeId::kVarchar) && type.length > 0;
}

// Rows that fail one column's rule, ascending.
void check_nulls(const ColumnRule& rule, const Column& column, const Batch& batch, Bad& bad) {
    if (rule.type.nullable || !column.may_have_nulls()) {
        return;
    }
    for (uint32_t i = 0; i < batch.num_selected(); ++i) {
        uint32_t row = batch.row_at(i);
        if (column.is_null(row)) {
            bad.emplace_back(
                row,
                fmt::format("column({}) values is null while columns is not nullable", rule.name)
            );
        }
    }
}

void check_lengths(const ColumnRule& rule, const Column& column, const Batch& batch, Bad& bad) {
    ColumnView<StringRef> view(column);
    auto limit = static_cast<uint32_t>(rule.type.length);
    for (uint32_t i = 0; i < batch.num_selected(); ++i) {
        uint32_t row = batch.row_at(i);
        if (view.is_valid(row) && view[row].size() > limit) {
            bad.emplace_back(
                row,
                fmt::format(
                    "the length of input is too long than schema. column_name: {}; input str: [{}] "
                    "schema length: {}; actual length: {}",
                    rule.name,
                    view[row].view().substr(0, 256),
                    limit,
                    view[row].size()
                )
            );
        }
    }
}

template <typename T>
void check_digits(const ColumnRule& rule, const Column& column, const Batch& batch, Bad& bad) {
    ColumnView<T> view(column);
    int128_t limit = max_decimal(rule.type.precision);
    for (uint32_t i = 0; i < batch.num_selected(); ++i) {
        uint32_t row = batch.row_at(i);
        if (view.is_valid(row) && (view[row] > limit || view[row] < -limit)) {
            bad.emplace_back(
                row,
                fmt::format(
                    "decimal value is not valid for definition, column={}, value={}",
                    rule.name,
                    value_text(column, row)
                )
            );
        }
    }
}

}  // namespace

void check_rows(const std::vector<ColumnRule>& rules, Batch& batch, const RejectRow& reject) {
    Bad bad;
    for (size_t c = 0; c < rules.size() && c < batch.columns.size(); ++c) {
        const Column& column = *batch.columns[c];
        check_nulls(rules[c], column, batch, bad);
        if (has_length(rules[c].type) && column.physical() == PhysicalType::kString) {
            check_lengths(rules[c], column, batch, bad);
        } else if (rules[c].type.id == TypeId::kDecimal) {
            visit_physical(column.physical(), [&](auto tag) {
                using T = decltype(tag);
                if constexpr (std::is_same_v<T, int32_t> || std::is_same_v<T, int64_t> ||
                              std::is_same_v<T, int128_t>) {
                    check_digits<T>(rules[c], column, batch, bad);
                }
            });
        }
    }
    if (bad.empty()) {
        return;
    }
    std::sort(bad.begin(), bad.end());
    auto selection = std::make_shared<Selection>();
    size_t b = 0;
    for (uint32_t i = 0; i < batch.num_selected(); ++i) {
        uint32_t row = batch.row_at(i);
        if (b < bad.size() && bad[b].first == row) {
            reject(row, std::move(bad[b].second));
            while (b < bad.size() && bad[b].first == row) {
                ++b;
            }
        } else {
            selection->push_back(static_cast<uint16_t>(row));
        }
    }
    batch.selection = std::move(selection);
}

}  // namespace thetis
