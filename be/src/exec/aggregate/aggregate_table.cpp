// SPDX-License-Identifier: Apache-2.0
#include "exec/aggregate/aggregate_table.h"

#include <numeric>
#include <utility>

namespace thetis {

namespace {

constexpr uint32_t kUnknown = UINT32_MAX;
constexpr size_t kPrefetchFromGroups = 8192;
constexpr uint32_t kPrefetchDistance = 16;
/// Groups get their rows as lists when each has at least so many in a batch on average.
constexpr uint32_t kRowsPerListedGroup = 16;
constexpr uint32_t kLongLists = 16;

size_t align_up(size_t value, size_t alignment) {
    return (value + alignment - 1) / alignment * alignment;
}

/// codes[i] = codes[i] * (values + 1) + the column's code of row i; NULL counts as one more value.
void combine_codes(
    const Column& column, const uint16_t* rows, uint32_t count, bool is_first, uint32_t* codes
) {
    const uint32_t size = column.base()->size();
    const uint32_t factor = is_first ? 0 : size + 1;
    const uint32_t* own = column.codes();
    const uint64_t* valid = column.valid_words();
    if (is_first) {
        std::fill_n(codes, count, 0);
    }
    if (valid == nullptr && rows == nullptr) {
        for (uint32_t i = 0; i < count; ++i) {
            codes[i] = codes[i] * factor + own[i];
        }
    } else if (valid == nullptr) {
        for (uint32_t i = 0; i < count; ++i) {
            codes[i] = codes[i] * factor + own[rows[i]];
        }
    } else {
        for (uint32_t i = 0; i < count; ++i) {
            uint32_t row = rows == nullptr ? i : rows[i];
            codes[i] = codes[i] * factor + (validity::is_valid(valid, row) ? own[row] : size);
        }
    }
}

Result<std::vector<ColumnPtr>> evaluate_arguments(
    const AggregateSpec::Call& call, const Batch& batch, EvalContext& eval
) {
    std::vector<ColumnPtr> arguments;
    arguments.reserve(call.arguments.size());
    for (const auto& argument : call.arguments) {
        ASSIGN_OR_RETURN(auto column, evaluate(*argument, batch, eval));
        arguments.push_back(std::move(column));
    }
    return arguments;
}

}  // namespace

void AggregateSpec::layout_states() {
    row_bytes = 0;
    row_alignment = 8;
    for (auto& call : calls) {
        size_t alignment = std::max<size_t>(call.function->state_alignment(), 1);
        row_bytes = align_up(row_bytes, alignment);
        call.offset = row_bytes;
        row_bytes += call.function->state_bytes();
        row_alignment = std::max(row_alignment, alignment);
        needs_destroy |= call.function->needs_destroy();
        has_distinct |= call.is_distinct;
    }
    row_bytes = align_up(std::max<size_t>(row_bytes, 1), row_alignment);
}

/// Groups by dictionary codes: a table from the combined codes of a row to its group, valid while
/// the dictionaries stay.
struct AggregateTable::CodeMap {
    static constexpr uint64_t kMaxDomain = 1 << 16;

    std::vector<ColumnPtr> dictionaries;
    std::vector<uint32_t> groups;
    std::vector<uint32_t> codes;
    std::vector<uint16_t> unknown_rows;
    std::vector<uint32_t> found;
};

AggregateTable::AggregateTable(std::shared_ptr<const AggregateSpec> spec, EvalContext eval)
    : spec_(std::move(spec)), eval_(eval), arena_(16 * 1024) {
    if (spec_->key_layout != nullptr) {
        groups_ = std::make_unique<GroupTable>(*spec_->key_layout);
        key_rows_ = std::make_unique<KeyRows>(*spec_->key_layout);
    }
    distinct_.resize(spec_->calls.size());
    for (size_t i = 0; i < spec_->calls.size(); ++i) {
        if (!spec_->calls[i].is_distinct) {
            continue;
        }
        auto& values = distinct_[i];
        std::vector<DataType> types{DataType::of(TypeId::kInt, false)};
        std::vector<bool> nullable{false};
        for (const auto& argument : spec_->calls[i].arguments) {
            types.push_back(argument->type());
            nullable.push_back(true);
            values.argument_types.push_back(argument->type());
        }
        values.layout = std::make_unique<KeyLayout>(std::move(types), std::move(nullable));
        values.table = std::make_unique<GroupTable>(*values.layout);
        values.rows = std::make_unique<KeyRows>(*values.layout);
    }
}

AggregateTable::~AggregateTable() {
    destroy_states();
}

// States with memory of their own (texts, sets) report it; each is asked about as often as there
// are rows per group, so that a row pays for one question.
void AggregateTable::count_heap_bytes(uint32_t num_rows) {
    rows_since_count_ += num_rows;
    if (!spec_->needs_destroy || memory_ == nullptr || rows_since_count_ < states_.size()) {
        return;
    }
    rows_since_count_ = 0;
    int64_t bytes = 0;
    for (const auto& call : spec_->calls) {
        if (call.function->needs_destroy()) {
            for (const char* state : states_) {
                bytes += static_cast<int64_t>(call.function->heap_bytes(state + call.offset));
            }
        }
    }
    memory_->consume(bytes - counted_heap_bytes_);
    counted_heap_bytes_ = bytes;
}

void AggregateTable::destroy_states() {
    if (memory_ != nullptr) {
        memory_->release(std::exchange(counted_heap_bytes_, 0));
    }
    if (!spec_->needs_destroy) {
        return;
    }
    for (const auto& call : spec_->calls) {
        if (call.function->needs_destroy()) {
            for (char* state : states_) {
                call.function->destroy(state + call.offset);
            }
        }
    }
}

void AggregateTable::clear() {
    destroy_states();
    states_.clear();
    arena_.clear();
    if (groups_ != nullptr) {
        groups_->clear();
    }
    codes_.reset();
    rows_added_ = 0;
}

void AggregateTable::create_states(uint32_t num_groups) {
    while (states_.size() < num_groups) {
        char* state = arena_.allocate(spec_->row_bytes, spec_->row_alignment);
        for (const auto& call : spec_->calls) {
            call.function->create(state + call.offset);
        }
        states_.push_back(state);
    }
}

void AggregateTable::expect_groups(uint32_t count) {
    if (groups_ != nullptr) {
        groups_->expect(count);
        states_.reserve(count);
    }
}

void AggregateTable::ensure_single_group() {
    if (spec_->key_layout == nullptr) {
        create_states(1);
    }
}

Status AggregateTable::add(const Batch& batch) {
    rows_added_ += batch.num_selected();
    if (spec_->key_layout == nullptr) {
        ensure_single_group();
    } else {
        std::vector<ColumnPtr> keys;
        keys.reserve(spec_->keys.size());
        for (const auto& key : spec_->keys) {
            ASSIGN_OR_RETURN(auto column, evaluate(*key, batch, eval_));
            keys.push_back(std::move(column));
        }
        RETURN_IF_ERROR(find_groups(keys, batch));
        create_states(groups_->num_groups());
        point_at_groups(batch.num_selected());
    }
    return update_calls(batch);
}

void AggregateTable::point_at_groups(uint32_t count) {
    if (state_of_row_.size() < count) {
        state_of_row_.resize(count);
    }
    char* const* states = states_.data();
    const uint32_t* groups = group_of_row_.data();
    char** rows = state_of_row_.data();
    if (states_.size() < kPrefetchFromGroups) {
        for (uint32_t i = 0; i < count; ++i) {
            rows[i] = states[groups[i]];
        }
        return;
    }
    // States of many groups lie far apart: they are asked for here, before the functions touch them
    // one by one.
    for (uint32_t i = 0; i < count; ++i) {
        if (i + kPrefetchDistance < count) {
            __builtin_prefetch(states + groups[i + kPrefetchDistance]);
        }
        rows[i] = states[groups[i]];
        __builtin_prefetch(rows[i], 1);
    }
}

Status AggregateTable::find_groups(const std::vector<ColumnPtr>& keys, const Batch& batch) {
    uint32_t count = batch.num_selected();
    if (group_of_row_.size() < count) {
        group_of_row_.resize(count);
    }
    if (!find_groups_by_code(keys, batch)) {
        key_rows_->compute(
            keys, batch.selection == nullptr ? nullptr : batch.selection->data(), count
        );
        groups_->find_or_insert(*key_rows_, group_of_row_.data());
    }
    return {};
}

// When all keys are dictionary columns with few combinations, a row costs one table access instead
// of a hash.
bool AggregateTable::find_groups_by_code(const std::vector<ColumnPtr>& keys, const Batch& batch) {
    uint32_t count = batch.num_selected();
    uint64_t domain = 1;
    for (const auto& key : keys) {
        if (key->form() != ColumnForm::kDictionary) {
            return false;
        }
        domain *= key->base()->size() + 1;
        if (domain > CodeMap::kMaxDomain) {
            return false;
        }
    }
    if (codes_ == nullptr) {
        codes_ = std::make_unique<CodeMap>();
    }
    CodeMap& map = *codes_;
    bool same =
        map.dictionaries.size() == keys.size() &&
        std::equal(
            keys.begin(),
            keys.end(),
            map.dictionaries.begin(),
            [](const auto& key, const auto& dictionary) { return key->base() == dictionary; }
        );
    if (!same) {
        if (domain > std::max<uint64_t>(2 * count, 256)) {
            return false;
        }
        map.dictionaries.clear();
        for (const auto& key : keys) {
            map.dictionaries.push_back(key->base());
        }
        map.groups.assign(domain, kUnknown);
    }
    if (map.codes.size() < count) {
        map.codes.resize(count);
    }
    uint32_t* codes = map.codes.data();
    const uint16_t* rows = batch.selection == nullptr ? nullptr : batch.selection->data();
    for (size_t c = 0; c < keys.size(); ++c) {
        combine_codes(*keys[c], rows, count, c == 0, codes);
    }
    uint32_t* groups = group_of_row_.data();
    const uint32_t* group_of_code = map.groups.data();
    uint32_t largest = 0;
    for (uint32_t i = 0; i < count; ++i) {
        groups[i] = group_of_code[codes[i]];
        largest = std::max(largest, groups[i]);
    }
    if (largest != kUnknown) [[likely]] {
        return true;
    }
    map.unknown_rows.clear();
    for (uint32_t i = 0; i < count; ++i) {
        if (groups[i] == kUnknown) {
            map.unknown_rows.push_back(static_cast<uint16_t>(i));
        }
    }
    std::vector<uint16_t> positions(map.unknown_rows.size());
    for (size_t i = 0; i < positions.size(); ++i) {
        positions[i] = static_cast<uint16_t>(batch.row_at(map.unknown_rows[i]));
    }
    map.found.resize(positions.size());
    key_rows_->compute(keys, positions.data(), static_cast<uint32_t>(positions.size()));
    groups_->find_or_insert(*key_rows_, map.found.data());
    for (size_t i = 0; i < positions.size(); ++i) {
        uint32_t row = map.unknown_rows[i];
        groups[row] = map.found[i];
        map.groups[codes[row]] = map.found[i];
    }
    return true;
}

// With few groups, each group's rows are listed once per batch and every function adds them in
// registers: row by row, consecutive rows of a group would wait for each other's store.
bool AggregateTable::split_rows_by_group(const Batch& batch) {
    uint32_t count = batch.num_selected();
    uint32_t num_groups = this->num_groups();
    if (num_groups == 0 || count / num_groups < kRowsPerListedGroup) {
        return false;
    }
    if (rows_of_group_.size() < num_groups) {
        rows_of_group_.resize(num_groups);
    }
    const uint32_t* groups = group_of_row_.data();
    // Counting first would cost more than lists that are too long for a moment.
    std::vector<uint32_t> counts(num_groups, num_groups <= kLongLists ? count : 0);
    if (num_groups > kLongLists) {
        for (uint32_t i = 0; i < count; ++i) {
            ++counts[groups[i]];
        }
    }
    std::vector<uint16_t*> ends(num_groups);
    for (uint32_t g = 0; g < num_groups; ++g) {
        rows_of_group_[g].resize(counts[g]);
        ends[g] = rows_of_group_[g].data();
    }
    uint16_t** next = ends.data();
    if (batch.selection == nullptr) {
        for (uint32_t i = 0; i < count; ++i) {
            *next[groups[i]]++ = static_cast<uint16_t>(i);
        }
    } else {
        const uint16_t* rows = batch.selection->data();
        for (uint32_t i = 0; i < count; ++i) {
            *next[groups[i]]++ = rows[i];
        }
    }
    for (uint32_t g = 0; g < num_groups; ++g) {
        rows_of_group_[g].resize(static_cast<size_t>(ends[g] - rows_of_group_[g].data()));
    }
    return true;
}

Status AggregateTable::update_by_group(
    const AggregateSpec::Call& call, std::span<const ColumnPtr> arguments
) {
    for (uint32_t g = 0; g < num_groups(); ++g) {
        const Selection& rows = rows_of_group_[g];
        if (rows.empty()) {
            continue;
        }
        AggregateInput input{arguments, &rows, static_cast<uint32_t>(rows.size())};
        RETURN_IF_ERROR(call.function->update_single(input, states_[g] + call.offset, arena_));
    }
    return {};
}

Status AggregateTable::update_calls(const Batch& batch) {
    bool by_group =
        spec_->key_layout != nullptr && !spec_->input_is_state && split_rows_by_group(batch);
    for (size_t i = 0; i < spec_->calls.size(); ++i) {
        const auto& call = spec_->calls[i];
        ASSIGN_OR_RETURN(auto arguments, evaluate_arguments(call, batch, eval_));
        if (call.is_distinct) {
            RETURN_IF_ERROR(update_distinct(call, i, batch, arguments));
            continue;
        }
        if (by_group) {
            RETURN_IF_ERROR(update_by_group(call, arguments));
            continue;
        }
        AggregateInput input{arguments, batch.selection.get(), batch.num_selected()};
        if (spec_->key_layout == nullptr && !spec_->input_is_state) {
            RETURN_IF_ERROR(call.function->update_single(input, states_[0] + call.offset, arena_));
            continue;
        }
        if (spec_->key_layout == nullptr) {
            state_of_row_.assign(input.num_rows, states_[0]);
        }
        if (spec_->input_is_state) {
            RETURN_IF_ERROR(call.function->merge(input, state_of_row_.data(), call.offset, arena_));
        } else {
            RETURN_IF_ERROR(call.function->update(input, state_of_row_.data(), call.offset, arena_)
            );
        }
    }
    count_heap_bytes(batch.num_selected());
    return {};
}

// Only rows whose (group, arguments) come for the first time reach the function.
Status AggregateTable::update_distinct(
    const AggregateSpec::Call& call,
    size_t index,
    const Batch& batch,
    const std::vector<ColumnPtr>& arguments
) {
    auto& values = distinct_[index];
    uint32_t count = batch.num_selected();
    auto numbers = Buffer::zeroed(std::max<size_t>(batch.num_rows, 1) * sizeof(int32_t));
    if (spec_->key_layout != nullptr) {
        for (uint32_t i = 0; i < count; ++i) {
            numbers->as<uint32_t>()[batch.row_at(i)] = group_of_row_[i];
        }
    }
    std::vector<ColumnPtr> columns{
        Column::flat(DataType::of(TypeId::kInt, false), batch.num_rows, std::move(numbers))
    };
    columns.insert(columns.end(), arguments.begin(), arguments.end());
    values.rows->compute(
        columns, batch.selection == nullptr ? nullptr : batch.selection->data(), count
    );
    std::vector<uint32_t> found(count);
    uint32_t before = values.table->num_groups();
    values.table->find_or_insert(*values.rows, found.data());

    Selection fresh;
    std::vector<char*> states;
    for (uint32_t i = 0; i < count; ++i) {
        if (found[i] == before) {
            ++before;
            fresh.push_back(static_cast<uint16_t>(batch.row_at(i)));
            states.push_back(spec_->key_layout == nullptr ? states_[0] : state_of_row_[i]);
        }
    }
    if (fresh.empty()) {
        return {};
    }
    AggregateInput input{arguments, &fresh, static_cast<uint32_t>(fresh.size())};
    return call.function->update(input, states.data(), call.offset, arena_);
}

Status AggregateTable::merge(const AggregateTable& other, const uint32_t* groups, uint32_t count) {
    if (group_of_row_.size() < count) {
        group_of_row_.resize(count);
    }
    if (spec_->key_layout == nullptr) {
        ensure_single_group();
        std::fill_n(group_of_row_.begin(), count, 0);
    } else {
        groups_->find_or_insert_from(*other.groups_, groups, count, group_of_row_.data());
        create_states(groups_->num_groups());
    }
    point_at_groups(count);
    std::vector<char*> from(count);
    for (uint32_t i = 0; i < count; ++i) {
        from[i] = other.states_[groups[i]];
    }
    for (const auto& call : spec_->calls) {
        ASSIGN_OR_RETURN(auto column, call.function->states(from.data(), call.offset, count));
        AggregateInput input{{&column, 1}, nullptr, count};
        RETURN_IF_ERROR(call.function->merge(input, state_of_row_.data(), call.offset, arena_));
    }
    count_heap_bytes(count);
    return {};
}

Result<Batch> AggregateTable::output(uint32_t begin, uint32_t count) const {
    Batch batch;
    batch.num_rows = count;
    if (groups_ != nullptr) {
        batch.columns = groups_->key_columns(begin, count);
    }
    for (const auto& call : spec_->calls) {
        char* const* states = states_.data() + begin;
        ASSIGN_OR_RETURN(
            auto column,
            spec_->output_is_state ? call.function->states(states, call.offset, count)
                                   : call.function->finalize(states, call.offset, count)
        );
        batch.columns.push_back(std::move(column));
    }
    return batch;
}

void AggregateTable::partition(
    int bits, std::vector<uint32_t>& groups, std::vector<uint32_t>& begins
) const {
    uint32_t count = num_groups();
    groups.resize(count);
    begins.assign((size_t{1} << bits) + 1, 0);
    if (bits == 0 || groups_ == nullptr) {
        std::iota(groups.begin(), groups.end(), 0);
        begins.assign((size_t{1} << bits) + 1, count);
        begins[0] = 0;
        return;
    }
    int shift = 64 - bits;
    for (uint32_t g = 0; g < count; ++g) {
        ++begins[(groups_->hash(g) >> shift) + 1];
    }
    for (size_t p = 1; p < begins.size(); ++p) {
        begins[p] += begins[p - 1];
    }
    std::vector<uint32_t> at(begins.begin(), begins.end() - 1);
    for (uint32_t g = 0; g < count; ++g) {
        groups[at[groups_->hash(g) >> shift]++] = g;
    }
}

Result<Batch> AggregateTable::pass_through(
    const AggregateSpec& spec, const Batch& batch, EvalContext& eval
) {
    uint32_t count = batch.num_selected();
    Batch output;
    output.num_rows = count;
    for (const auto& key : spec.keys) {
        ASSIGN_OR_RETURN(auto column, evaluate(*key, batch, eval));
        if (batch.selection != nullptr) {
            column = gather(column, batch.selection->data(), count);
        }
        output.columns.push_back(std::move(column));
    }
    Arena arena(spec.row_bytes * count + 4096);
    std::vector<char*> states(count);
    for (auto& state : states) {
        state = arena.allocate(spec.row_bytes, spec.row_alignment);
        for (const auto& call : spec.calls) {
            call.function->create(state + call.offset);
        }
    }
    Status failure;
    for (const auto& call : spec.calls) {
        auto run = [&]() -> Result<ColumnPtr> {
            ASSIGN_OR_RETURN(auto arguments, evaluate_arguments(call, batch, eval));
            AggregateInput input{arguments, batch.selection.get(), count};
            RETURN_IF_ERROR(
                spec.input_is_state
                    ? call.function->merge(input, states.data(), call.offset, arena)
                    : call.function->update(input, states.data(), call.offset, arena)
            );
            return call.function->states(states.data(), call.offset, count);
        };
        auto column = run();
        if (!column.ok()) {
            failure = column.status();
            break;
        }
        output.columns.push_back(column.take());
    }
    for (const auto& call : spec.calls) {
        if (call.function->needs_destroy()) {
            for (char* state : states) {
                call.function->destroy(state + call.offset);
            }
        }
    }
    RETURN_IF_ERROR(failure);
    return output;
}

}  // namespace thetis
