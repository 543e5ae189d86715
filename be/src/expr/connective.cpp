// SPDX-License-Identifier: Apache-2.0
#include "expr/nodes.h"

namespace thetis {

namespace {

constexpr uint8_t kNullState = 2;  // Beside 0 for false and 1 for true.

/// Folds a child's values into the states of the given rows. `decided` is what ends a row: false
/// for AND, true for OR.
template <typename RowOf>
void fold(const Column& child, uint8_t decided, uint32_t count, RowOf row_of, uint8_t* states) {
    const ColumnView<uint8_t> view(child);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t row = row_of(i);
        const uint8_t value = view.is_valid(row) ? (view[row] != 0 ? 1 : 0) : kNullState;
        uint8_t& state = states[row];
        if (state == decided || value == decided) {
            state = decided;
        } else if (value == kNullState) {
            state = kNullState;
        }
    }
}

}  // namespace

std::string ConnectiveExpression::to_string() const {
    return print_call(kind() == ExpressionKind::kAnd ? "and" : "or", children());
}

Result<ColumnPtr> ConnectiveExpression::evaluate_all(const Batch& batch, EvalContext& context)
    const {
    const uint8_t decided = kind() == ExpressionKind::kAnd ? 0 : 1;
    auto values = Buffer::allocate(batch.num_rows);
    auto* states = values->as<uint8_t>();
    std::memset(states, decided ^ 1, batch.num_rows);
    Batch open = batch;
    for (size_t i = 0; i < children().size(); ++i) {
        if (i > 0) {
            auto rows = std::make_shared<Selection>();
            rows->reserve(open.num_selected());
            for (uint32_t j = 0; j < open.num_selected(); ++j) {
                const uint32_t row = open.row_at(j);
                if (states[row] != decided) {
                    rows->push_back(static_cast<uint16_t>(row));
                }
            }
            if (rows->empty()) {
                break;
            }
            open.selection = std::move(rows);
        }
        ASSIGN_OR_RETURN(const ColumnPtr child, evaluate(*children()[i], open, context));
        if (open.selection == nullptr) {
            fold(*child, decided, open.num_rows, [](uint32_t j) { return j; }, states);
        } else {
            const uint16_t* rows = open.selection->data();
            fold(
                *child,
                decided,
                open.num_selected(),
                [rows](uint32_t j) { return uint32_t{rows[j]}; },
                states
            );
        }
    }
    std::shared_ptr<Buffer> valid;
    for (uint32_t row = 0; row < batch.num_rows; ++row) {
        if (states[row] == kNullState) {
            if (valid == nullptr) {
                valid = validity::all_valid(batch.num_rows);
            }
            validity::set_null(valid->as<uint64_t>(), row);
            states[row] = 0;
        }
    }
    return Column::flat(type(), batch.num_rows, std::move(values), std::move(valid));
}

}  // namespace thetis
