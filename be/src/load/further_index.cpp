// SPDX-License-Identifier: Apache-2.0
#include "load/further_index.h"

#include "column/lossless_text.h"
#include "column/text_conversion.h"
#include "exec/sink/sink_columns.h"
#include "plan_types.h"

namespace thetis {

namespace {

Result<std::vector<RoutedTablet>> place_tablets(
    const wire::IndexSink& sink, const std::vector<RoutedTablet>& base
) {
    std::vector<RoutedTablet> tablets;
    std::map<int64_t, size_t> next_bucket;
    for (const RoutedTablet& beside : base) {
        const size_t bucket = next_bucket[beside.partition_id]++;
        auto found = sink.tablets.find(beside.partition_id);
        if (found == sink.tablets.end() || bucket >= found->second.size()) {
            return Status::error(
                ErrorCode::kInvalidArgument,
                "index {} has no tablet for bucket {} of partition {}",
                sink.schema.index_id,
                bucket,
                beside.partition_id
            );
        }
        const wire::TabletLocation& location = found->second[bucket];
        tablets.push_back({location.tablet_id, beside.partition_id, location.backend_ids});
    }
    return tablets;
}

}  // namespace

Result<FurtherIndex> FurtherIndex::make(
    const wire::IndexSink& sink,
    const wire::TableSink& table,
    const std::vector<RoutedTablet>& base,
    const FunctionRegistries& functions
) {
    FurtherIndex index;
    ASSIGN_OR_RETURN(
        auto columns,
        sink.__isset.column_unique_ids ? named_columns(sink.schema, sink.column_unique_ids)
                                       : loaded_columns(sink.schema)
    );
    index.rules_ = rules_of(columns);
    for (const SinkColumn& column : columns) {
        index.column_unique_ids_.push_back(column.unique_id);
    }
    ASSIGN_OR_RETURN(index.expressions_, compile_all(sink.expressions, functions));
    ASSIGN_OR_RETURN(auto input, sink_columns(table));
    if (index.expressions_.size() != columns.size()) {
        return Status::error(
            ErrorCode::kInvalidArgument,
            "index {} has {} columns and {} expressions",
            sink.schema.index_id,
            columns.size(),
            index.expressions_.size()
        );
    }
    for (size_t i = 0; i < columns.size(); ++i) {
        const Expression& expression = *index.expressions_[i];
        if (!expression.slots().empty() &&
            static_cast<size_t>(expression.slots().back()) >= input.size()) {
            return Status::error(
                ErrorCode::kInvalidArgument,
                "index {} reads column {} of a load with {}",
                sink.schema.index_id,
                expression.slots().back(),
                input.size()
            );
        }
        if (expression.type().physical() != index.rules_[i].type.physical()) {
            return Status::error(
                ErrorCode::kInvalidArgument,
                "the expression of column {} in index {} has another type",
                index.rules_[i].name,
                sink.schema.index_id
            );
        }
    }
    ASSIGN_OR_RETURN(index.tablets_, place_tablets(sink, base));
    return index;
}

void FurtherIndex::drop_lost_values(const Batch& input, Batch& output, const RejectRow& reject)
    const {
    for (size_t c = 0; c < expressions_.size(); ++c) {
        const std::vector<int>& slots = expressions_[c]->slots();
        if (slots.size() != 1) {
            continue;
        }
        const Column& from = *input.columns[static_cast<size_t>(slots[0])];
        const Column& to = *output.columns[c];
        const bool is_parsed = from.type().is_string() && !to.type().is_string();
        if (!is_parsed && !to.may_have_nulls()) {
            continue;
        }
        auto selection = std::make_shared<Selection>();
        const uint32_t count = output.num_selected();
        for (uint32_t i = 0; i < count; ++i) {
            const uint32_t row = output.row_at(i);
            const bool is_lost = !from.is_null(row) &&
                                 (to.is_null(row) || (is_parsed && !keeps_text(from, to, row)));
            if (is_lost) {
                reject(
                    row,
                    fmt::format(
                        "the value {} does not fit column {} as the running schema change has it",
                        value_text(from, row),
                        rules_[c].name
                    )
                );
            } else {
                selection->push_back(static_cast<uint16_t>(row));
            }
        }
        if (selection->size() < count) {
            output.selection = std::move(selection);
        }
    }
}

Result<Batch> FurtherIndex::convert(const Batch& batch, EvalContext& eval, const RejectRow& reject)
    const {
    Batch output;
    output.num_rows = batch.num_rows;
    output.selection = batch.selection;
    for (const auto& expression : expressions_) {
        ASSIGN_OR_RETURN(auto column, evaluate(*expression, batch, eval));
        output.columns.push_back(std::move(column));
    }
    drop_lost_values(batch, output, reject);
    check_rows(rules_, output, reject);
    return output;
}

}  // namespace thetis
