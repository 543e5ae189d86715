// SPDX-License-Identifier: Apache-2.0
#include "exec/window/frame_tree.h"

namespace thetis {

/// Some states side by side, created and destroyed together.
class FrameTree::States {
public:
    States(const AggregateFunction& function, uint32_t count)
        : function_(function), arena_(4096), at_(count) {
        const size_t alignment = std::max<size_t>(function.state_alignment(), 8);
        for (auto& state : at_) {
            state = arena_.allocate(function.state_bytes(), alignment);
            function.create(state);
        }
    }

    ~States() {
        if (function_.needs_destroy()) {
            for (char* state : at_) {
                function_.destroy(state);
            }
        }
    }

    States(const States&) = delete;
    States& operator=(const States&) = delete;

    char* operator[](size_t i) const { return at_[i]; }

    char* const* data() const { return at_.data(); }

    Arena& arena() { return arena_; }

private:
    const AggregateFunction& function_;
    Arena arena_;
    std::vector<char*> at_;
};

Status FrameTree::build() {
    uint32_t count = num_rows_ / kBlockRows;  // Rows past the last whole block need no node.
    if (count == 0) {
        return {};
    }
    {
        States states(function_, count);
        for (uint32_t begin = 0; begin < count * kBlockRows; begin += kMaxBatchRows) {
            const uint32_t rows = std::min(kMaxBatchRows, count * kBlockRows - begin);
            std::vector<ColumnPtr> parts;
            for (const auto& argument : arguments_) {
                parts.push_back(slice(argument, begin, rows));
            }
            std::vector<char*> targets(rows);
            for (uint32_t i = 0; i < rows; ++i) {
                targets[i] = states[(begin + i) / kBlockRows];
            }
            RETURN_IF_ERROR(
                function_.update({parts, nullptr, rows}, targets.data(), 0, states.arena())
            );
        }
        ASSIGN_OR_RETURN(auto level, function_.states(states.data(), 0, count));
        levels_.push_back(std::move(level));
    }
    for (count /= 2; count > 0; count /= 2) {
        States states(function_, count);
        const ColumnPtr below = levels_.back();
        for (uint32_t begin = 0; begin < 2 * count; begin += kMaxBatchRows) {
            const uint32_t nodes = std::min(kMaxBatchRows, 2 * count - begin);
            const ColumnPtr part = slice(below, begin, nodes);
            std::vector<char*> targets(nodes);
            for (uint32_t i = 0; i < nodes; ++i) {
                targets[i] = states[(begin + i) / 2];
            }
            RETURN_IF_ERROR(
                function_.merge({{&part, 1}, nullptr, nodes}, targets.data(), 0, states.arena())
            );
        }
        ASSIGN_OR_RETURN(auto level, function_.states(states.data(), 0, count));
        levels_.push_back(std::move(level));
    }
    return {};
}

Status FrameTree::flush_rows(Pending& pending, Arena& arena) const {
    const auto count = static_cast<uint32_t>(pending.positions.size());
    if (count == 0) {
        return {};
    }
    std::vector<ColumnPtr> parts;
    for (const auto& argument : arguments_) {
        parts.push_back(gather(argument, pending.positions.data(), count));
    }
    Status status = function_.update({parts, nullptr, count}, pending.states.data(), 0, arena);
    pending.positions.clear();
    pending.states.clear();
    return status;
}

Status FrameTree::add_row(Pending& pending, uint32_t row, char* state, Arena& arena) const {
    pending.positions.push_back(row);
    pending.states.push_back(state);
    return pending.positions.size() == kMaxBatchRows ? flush_rows(pending, arena) : Status();
}

Status FrameTree::merge_nodes(size_t level, const Pending& nodes, Arena& arena) const {
    const auto count = static_cast<uint32_t>(nodes.positions.size());
    if (count == 0) {
        return {};
    }
    const ColumnPtr states = gather(levels_[level], nodes.positions.data(), count);
    return function_.merge({{&states, 1}, nullptr, count}, nodes.states.data(), 0, arena);
}

Result<ColumnPtr> FrameTree::results(const uint32_t* begins, const uint32_t* ends, uint32_t count)
    const {
    States states(function_, count);
    std::vector<Pending> left(levels_.size());
    std::vector<Pending> right(levels_.size());
    std::vector<uint32_t> tails(count);  // Where the rows after the last whole block begin.
    Pending rows;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t begin = begins[i];
        const uint32_t end = std::max(begin, ends[i]);
        uint32_t low = (begin + kBlockRows - 1) / kBlockRows;
        uint32_t high = end / kBlockRows;
        const uint32_t head_end = std::min(end, low * kBlockRows);
        tails[i] = low < high ? high * kBlockRows : head_end;
        for (uint32_t row = begin; row < head_end; ++row) {
            RETURN_IF_ERROR(add_row(rows, row, states[i], states.arena()));
        }
        for (size_t level = 0; low < high; ++level, low /= 2, high /= 2) {
            if (low % 2 == 1) {
                left[level].positions.push_back(low++);
                left[level].states.push_back(states[i]);
            }
            if (high % 2 == 1) {
                right[level].positions.push_back(--high);
                right[level].states.push_back(states[i]);
            }
        }
    }
    RETURN_IF_ERROR(flush_rows(rows, states.arena()));
    for (size_t level = 0; level < levels_.size(); ++level) {
        RETURN_IF_ERROR(merge_nodes(level, left[level], states.arena()));
    }
    for (size_t level = levels_.size(); level-- > 0;) {
        RETURN_IF_ERROR(merge_nodes(level, right[level], states.arena()));
    }
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t row = tails[i]; row < ends[i]; ++row) {
            RETURN_IF_ERROR(add_row(rows, row, states[i], states.arena()));
        }
    }
    RETURN_IF_ERROR(flush_rows(rows, states.arena()));
    return function_.finalize(states.data(), 0, count);
}

}  // namespace thetis
