// SPDX-License-Identifier: Apache-2.0
#include "exec/sink/load_project.h"

#include "column/text_conversion.h"

namespace thetis {

void LoadProjectOperator::reject(
    const ColumnPtr& numbers, const ColumnPtr& texts, uint32_t row, const std::string& reason
) {
    if (errors_ == nullptr) {
        return;
    }
    int64_t number = ColumnView<int64_t>(*numbers)[row];
    errors_->reject(number, reason, ColumnView<StringRef>(*texts)[row].view());
}

// Strict mode: a source value that became NULL did not convert.
void LoadProjectOperator::drop_failed_conversions(
    const Batch& source, Batch& batch, const RejectRow& reject_row
) {
    for (size_t c = 0; c < spec_->expressions.size(); ++c) {
        int from = c < spec_->source_of.size() ? spec_->source_of[c] : -1;
        if (from < 0 || !batch.columns[c]->may_have_nulls()) {
            continue;
        }
        const Column& input = *source.columns[static_cast<size_t>(from)];
        const Column& output = *batch.columns[c];
        auto selection = std::make_shared<Selection>();
        uint32_t count = batch.num_selected();
        for (uint32_t i = 0; i < count; ++i) {
            uint32_t row = batch.row_at(i);
            if (output.is_null(row) && !input.is_null(row)) {
                reject_row(
                    row,
                    fmt::format(
                        "column({}) value is incorrect while strict mode is true, src value is {}",
                        spec_->columns[c].name,
                        value_text(input, row)
                    )
                );
            } else {
                selection->push_back(static_cast<uint16_t>(row));
            }
        }
        if (selection->size() < count) {
            batch.selection = std::move(selection);
        }
    }
}

Status LoadProjectOperator::apply(Batch& batch) {
    if (batch.columns.size() < RowSource::kNumExtraColumns) {
        return Status(
            ErrorCode::kInternal, "a load projection needs the row number and text of its input"
        );
    }
    ColumnPtr texts = std::move(batch.columns.back());
    batch.columns.pop_back();
    ColumnPtr numbers = std::move(batch.columns.back());
    batch.columns.pop_back();
    for (const auto& temporary : spec_->temporaries) {
        ASSIGN_OR_RETURN(auto column, evaluate(*temporary, batch, eval_));
        batch.columns.push_back(std::move(column));
    }
    Batch output;
    output.num_rows = batch.num_rows;
    output.selection = batch.selection;
    for (const auto& expression : spec_->expressions) {
        ASSIGN_OR_RETURN(auto column, evaluate(*expression, batch, eval_));
        output.columns.push_back(std::move(column));
    }
    RejectRow reject_row = [&](uint32_t row, std::string reason) {
        reject(numbers, texts, row, reason);
    };
    if (spec_->strict_mode) {
        drop_failed_conversions(batch, output, reject_row);
    }
    check_rows(spec_->columns, output, reject_row);
    if (spec_->where != nullptr) {
        int64_t before = output.num_selected();
        RETURN_IF_ERROR(evaluate_filter({&spec_->where, 1}, output, eval_));
        if (errors_ != nullptr) {
            errors_->add_unselected(before - output.num_selected());
        }
    }
    batch = std::move(output);
    return {};
}

}  // namespace thetis
