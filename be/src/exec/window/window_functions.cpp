// SPDX-License-Identifier: Apache-2.0
#include "column/builder.h"
#include "exec/window/frame_tree.h"
#include "exec/window/window_spec.h"

namespace thetis {

namespace {

/// Calls `visit(row, partition begin, partition end, peers begin, peers end, number of peer groups
/// before)` for every row.
template <typename Visit>
void each_row(const WindowRows& rows, Visit visit) {
    size_t peer = 0;
    for (size_t p = 0; p + 1 < rows.partitions.size(); ++p) {
        uint32_t begin = rows.partitions[p];
        uint32_t end = rows.partitions[p + 1];
        uint32_t group = 0;
        for (uint32_t row = begin; row < end; ++row) {
            if (rows.peers[peer + 1] <= row) {
                ++peer;
                ++group;
            }
            visit(row, begin, end, rows.peers[peer], rows.peers[peer + 1], group);
        }
        ++peer;
    }
}

template <typename Value>
ColumnPtr numbers(const WindowRows& rows, const DataType& type, Value value) {
    ColumnBuilder builder(type, rows.num_rows);
    visit_physical(type.physical(), [&](auto tag) {
        using T = decltype(tag);
        if constexpr (!std::is_same_v<T, StringRef>) {
            T* out = builder.append_uninitialized<T>(rows.num_rows);
            each_row(
                rows,
                [&](uint32_t row,
                    uint32_t begin,
                    uint32_t end,
                    uint32_t peers,
                    uint32_t peers_end,
                    uint32_t group) {
                    out[row] = static_cast<T>(value(row, begin, end, peers, peers_end, group));
                }
            );
        }
    });
    return builder.finish();
}

int64_t integer_at(const ColumnPtr& column, uint32_t row) {
    return static_cast<int64_t>(Scalar::from_column(*column, row).as_integer());
}

Result<ColumnPtr> ntile(
    const WindowSpec::Call& call, const WindowRows& rows, const std::vector<ColumnPtr>& arguments
) {
    if (rows.num_rows > 0 && (arguments[0]->is_null(0) || integer_at(arguments[0], 0) <= 0)) {
        return Status(ErrorCode::kInvalidArgument, "NTILE needs a positive number of buckets");
    }
    int64_t buckets = rows.num_rows == 0 ? 1 : integer_at(arguments[0], 0);
    return numbers(
        rows,
        call.result_type,
        [&](uint32_t row, uint32_t begin, uint32_t end, uint32_t, uint32_t, uint32_t) {
            // The first `rest` buckets hold one row more.
            int64_t small = (end - begin) / buckets;
            int64_t rest = (end - begin) % buckets;
            int64_t at = row - begin;
            int64_t in_large = rest * (small + 1);
            return at < in_large ? at / (small + 1) + 1
                                 : rest + (at - in_large) / std::max<int64_t>(small, 1) + 1;
        }
    );
}

// LAG is LEAD backwards. A row past the partition takes the default (NULL without one).
ColumnPtr shifted(
    const WindowSpec::Call& call, const WindowRows& rows, const std::vector<ColumnPtr>& arguments
) {
    int64_t sign = call.function == WindowFunction::kLag ? -1 : 1;
    std::vector<uint32_t> positions(rows.num_rows, kNullPosition);
    std::vector<uint32_t> defaults;
    each_row(rows, [&](uint32_t row, uint32_t begin, uint32_t end, uint32_t, uint32_t, uint32_t) {
        int64_t offset = arguments.size() < 2
                             ? 1
                             : (arguments[1]->is_null(row) ? 0 : integer_at(arguments[1], row));
        int64_t at = static_cast<int64_t>(row) + sign * offset;
        if (at >= begin && at < end) {
            positions[row] = static_cast<uint32_t>(at);
        } else {
            defaults.push_back(row);
        }
    });
    ColumnPtr values = gather_or_null(arguments[0], positions.data(), rows.num_rows);
    if (arguments.size() < 3 || defaults.empty()) {
        return values;
    }
    ColumnBuilder builder(call.result_type, rows.num_rows);
    uint32_t next = 0;
    for (uint32_t row : defaults) {
        builder.append_from(*values, next, row - next);
        builder.append_from(*arguments[2], row, 1);
        next = row + 1;
    }
    builder.append_from(*values, next, rows.num_rows - next);
    return builder.finish();
}

struct Frame {
    uint32_t begin;
    uint32_t end;
};

// The rows [begin, end) a row's frame covers; empty when begin >= end.
Frame frame_of(
    const WindowSpec::Call& call,
    uint32_t row,
    uint32_t begin,
    uint32_t end,
    uint32_t peers,
    uint32_t peers_end
) {
    int64_t first = begin;
    int64_t last = end;
    if (call.frame_start.has_value()) {
        first = call.by_rows
                    ? std::max<int64_t>(begin, static_cast<int64_t>(row) + *call.frame_start)
                    : peers;
    }
    if (call.frame_end.has_value()) {
        last = call.by_rows
                   ? std::min<int64_t>(end, static_cast<int64_t>(row) + *call.frame_end + 1)
                   : peers_end;
    }
    first = std::min<int64_t>(first, end);
    last = std::max<int64_t>(last, first);
    return {static_cast<uint32_t>(first), static_cast<uint32_t>(last)};
}

// For each row the nearest row at or after it (kFirstValue) or at or before it with a value;
// kNullPosition when there is none. The row itself when NULLs count as values.
std::vector<uint32_t> nearest_values(
    const WindowSpec::Call& call, uint32_t num_rows, const std::vector<ColumnPtr>& arguments
) {
    bool ignore_nulls = arguments.size() > 1 && num_rows > 0 && !arguments[1]->is_null(0) &&
                        integer_at(arguments[1], 0) != 0;
    std::vector<uint32_t> nearest(num_rows);
    bool forward = call.function == WindowFunction::kFirstValue;
    uint32_t last = kNullPosition;
    for (uint32_t i = 0; i < num_rows; ++i) {
        uint32_t row = forward ? num_rows - 1 - i : i;
        if (!ignore_nulls || !arguments[0]->is_null(row)) {
            last = row;
        }
        nearest[row] = last;
    }
    return nearest;
}

ColumnPtr value_in_frame(
    const WindowSpec::Call& call, const WindowRows& rows, const std::vector<ColumnPtr>& arguments
) {
    std::vector<uint32_t> positions(rows.num_rows, kNullPosition);
    bool is_nth = call.function == WindowFunction::kNthValue;
    std::vector<uint32_t> nearest;
    if (!is_nth) {
        nearest = nearest_values(call, rows.num_rows, arguments);
    }
    each_row(
        rows,
        [&](uint32_t row, uint32_t begin, uint32_t end, uint32_t peers, uint32_t peers_end, uint32_t
        ) {
            Frame frame = frame_of(call, row, begin, end, peers, peers_end);
            if (frame.begin >= frame.end || (is_nth && arguments[1]->is_null(row))) {
                return;
            }
            int64_t at = 0;
            if (is_nth) {
                at = frame.begin + integer_at(arguments[1], row) - 1;
            } else {
                bool first = call.function == WindowFunction::kFirstValue;
                at = nearest[first ? frame.begin : frame.end - 1];
            }
            if (at >= frame.begin && at < frame.end) {
                positions[row] = static_cast<uint32_t>(at);
            }
        }
    );
    return gather_or_null(arguments[0], positions.data(), rows.num_rows);
}

/// One state of an aggregate and the rows it has taken.
class FrameState {
public:
    explicit FrameState(const AggregateFunction& function) : function_(function), arena_(4096) {
        state_ = arena_.allocate(
            function.state_bytes(), std::max<size_t>(function.state_alignment(), 8)
        );
        function_.create(state_);
    }

    ~FrameState() { function_.destroy(state_); }

    FrameState(const FrameState&) = delete;
    FrameState& operator=(const FrameState&) = delete;

    Status add(const std::vector<ColumnPtr>& arguments, uint32_t begin, uint32_t end) {
        for (uint32_t at = begin; at < end; at += kMaxBatchRows) {
            uint32_t count = std::min(kMaxBatchRows, end - at);
            std::vector<ColumnPtr> parts;
            for (const auto& argument : arguments) {
                parts.push_back(slice(argument, at, count));
            }
            RETURN_IF_ERROR(function_.update_single({parts, nullptr, count}, state_, arena_));
        }
        return {};
    }

    void restart() {
        function_.destroy(state_);
        function_.create(state_);
    }

    Result<ColumnPtr> result() const { return function_.finalize(&state_, 0, 1); }

private:
    const AggregateFunction& function_;
    Arena arena_;
    char* state_;
};

/// Frames of up to so many rows are computed row by row anew.
constexpr int64_t kShortFrame = 32;

/// Whether the frames move their begin along and are long.
bool slides_far(const WindowSpec::Call& call, const WindowRows& rows) {
    if (!call.frame_start.has_value() || rows.num_rows <= kShortFrame) {
        return false;
    }
    return !call.by_rows || !call.frame_end.has_value() ||
           *call.frame_end - *call.frame_start >= kShortFrame;
}

Result<ColumnPtr> aggregate_in_long_frames(
    const WindowSpec::Call& call, const WindowRows& rows, const std::vector<ColumnPtr>& arguments
) {
    std::vector<uint32_t> begins(rows.num_rows);
    std::vector<uint32_t> ends(rows.num_rows);
    each_row(
        rows,
        [&](uint32_t row, uint32_t begin, uint32_t end, uint32_t peers, uint32_t peers_end, uint32_t
        ) {
            Frame frame = frame_of(call, row, begin, end, peers, peers_end);
            begins[row] = frame.begin;
            ends[row] = frame.end;
        }
    );
    FrameTree tree(*call.aggregate, arguments, rows.num_rows);
    RETURN_IF_ERROR(tree.build());
    std::vector<ColumnPtr> pieces;
    for (uint32_t at = 0; at < rows.num_rows; at += kMaxBatchRows) {
        const uint32_t count = std::min(kMaxBatchRows, rows.num_rows - at);
        ASSIGN_OR_RETURN(auto piece, tree.results(begins.data() + at, ends.data() + at, count));
        pieces.push_back(std::move(piece));
    }
    return concatenate(pieces);
}

Result<ColumnPtr> aggregate_in_frames(
    const WindowSpec::Call& call, const WindowRows& rows, const std::vector<ColumnPtr>& arguments
) {
    if (slides_far(call, rows)) {
        return aggregate_in_long_frames(call, rows, arguments);
    }
    ColumnBuilder builder(call.result_type, rows.num_rows);
    FrameState state(*call.aggregate);
    ColumnPtr current;
    Frame done{0, 0};
    bool has_frame = false;
    Status failure;
    each_row(
        rows,
        [&](uint32_t row, uint32_t begin, uint32_t end, uint32_t peers, uint32_t peers_end, uint32_t
        ) {
            if (!failure.ok()) {
                return;
            }
            Frame frame = frame_of(call, row, begin, end, peers, peers_end);
            bool same_partition = has_frame && row != begin;
            bool grows = same_partition && frame.begin == done.begin && frame.end >= done.end;
            if (grows && frame.end == done.end && current != nullptr) {
                builder.append_from(*current, uint32_t{0}, 1);
                return;
            }
            // A frame that only grows at its end keeps its state; any other begins anew.
            if (!grows) {
                state.restart();
                done = {frame.begin, frame.begin};
            }
            failure = state.add(arguments, done.end, frame.end);
            if (failure.ok()) {
                auto result = state.result();
                failure = result.status();
                if (result.ok()) {
                    current = result.take();
                    builder.append_from(*current, uint32_t{0}, 1);
                }
            }
            done = frame;
            has_frame = true;
        }
    );
    RETURN_IF_ERROR(failure);
    return builder.finish();
}

}  // namespace

WindowFunction window_function(std::string_view name) {
    static constexpr std::pair<std::string_view, WindowFunction> kNames[] = {
        {"cume_dist", WindowFunction::kCumeDist},
        {"dense_rank", WindowFunction::kDenseRank},
        {"first_value", WindowFunction::kFirstValue},
        {"lag", WindowFunction::kLag},
        {"last_value", WindowFunction::kLastValue},
        {"lead", WindowFunction::kLead},
        {"nth_value", WindowFunction::kNthValue},
        {"ntile", WindowFunction::kNtile},
        {"percent_rank", WindowFunction::kPercentRank},
        {"rank", WindowFunction::kRank},
        {"row_number", WindowFunction::kRowNumber},
    };
    for (const auto& [known, function] : kNames) {
        if (known == name) {
            return function;
        }
    }
    return WindowFunction::kAggregate;
}

Result<ColumnPtr> compute_window(
    const WindowSpec::Call& call, const WindowRows& rows, const std::vector<ColumnPtr>& arguments
) {
    using Number = uint32_t;
    const DataType& type = call.result_type;
    switch (call.function) {
        case WindowFunction::kRowNumber:
            return numbers(
                rows,
                type,
                [](Number row, Number begin, Number, Number, Number, Number) {
                    return row - begin + 1;
                }
            );
        case WindowFunction::kRank:
            return numbers(
                rows,
                type,
                [](Number, Number begin, Number, Number peers, Number, Number) {
                    return peers - begin + 1;
                }
            );
        case WindowFunction::kDenseRank:
            return numbers(rows, type, [](Number, Number, Number, Number, Number, Number group) {
                return group + 1;
            });
        case WindowFunction::kPercentRank:
            return numbers(
                rows,
                type,
                [](Number, Number begin, Number end, Number peers, Number, Number) {
                    return end - begin < 2 ? 0.0
                                           : static_cast<double>(peers - begin) /
                                                 static_cast<double>(end - begin - 1);
                }
            );
        case WindowFunction::kCumeDist:
            return numbers(
                rows,
                type,
                [](Number, Number begin, Number end, Number, Number peers_end, Number) {
                    return static_cast<double>(peers_end - begin) /
                           static_cast<double>(end - begin);
                }
            );
        case WindowFunction::kNtile:
            return ntile(call, rows, arguments);
        case WindowFunction::kLag:
        case WindowFunction::kLead:
            return shifted(call, rows, arguments);
        case WindowFunction::kFirstValue:
        case WindowFunction::kLastValue:
        case WindowFunction::kNthValue:
            return value_in_frame(call, rows, arguments);
        case WindowFunction::kAggregate:
            return aggregate_in_frames(call, rows, arguments);
    }
    return Status(ErrorCode::kInternal, "unknown window function");
}

}  // namespace thetis
