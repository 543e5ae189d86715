// SPDX-License-Identifier: Apache-2.0
#include "exec/sort/sort_state.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "column/scalar.h"
#include "storage/predicate/column_predicate.h"

namespace thetis {

namespace {

std::vector<DataType> key_types(const SortSpec& spec) {
    std::vector<DataType> types;
    for (const auto& key : spec.keys) {
        types.push_back(key->type());
    }
    return types;
}

uint64_t big_endian(std::string_view bytes, size_t begin) {
    uint64_t word = 0;
    if (begin < bytes.size()) {
        std::memcpy(&word, bytes.data() + begin, std::min<size_t>(8, bytes.size() - begin));
    }
    return __builtin_bswap64(word);
}

}  // namespace

SortRun::SortRun(std::shared_ptr<const SortSpec> spec)
    : spec_(std::move(spec)),
      encoder_(key_types(*spec_), spec_->orders),
      key_decided_(encoder_.fixed_bytes() > 0 && encoder_.fixed_bytes() <= 16) {}

SortRun::~SortRun() {
    if (memory_ != nullptr) {
        memory_->release(counted_key_bytes_);
    }
}

// Keys live in plain containers: their size is reported by difference.
void SortRun::count_key_bytes() {
    auto bytes = static_cast<int64_t>(keys_.memory_bytes());
    if (memory_ != nullptr) {
        memory_->consume(bytes - counted_key_bytes_);
        counted_key_bytes_ = bytes;
    }
}

Status SortRun::add(Batch batch, EvalContext& eval) {
    std::vector<ColumnPtr> keys;
    for (const auto& key : spec_->keys) {
        ASSIGN_OR_RETURN(auto column, evaluate(*key, batch, eval));
        keys.push_back(std::move(column));
    }
    uint32_t first_row = num_rows_;
    encoder_.encode(keys, batch.selection.get(), batch.num_selected(), keys_);
    if (has_threshold_) {
        // Rows not better than the worst kept row cannot be in the result.
        auto selection = std::make_shared<Selection>();
        SortKeys kept;
        for (uint32_t i = 0; i < batch.num_selected(); ++i) {
            std::string_view key = keys_[first_row + i];
            if (key < threshold_) {
                selection->push_back(static_cast<uint16_t>(batch.row_at(i)));
                kept.bytes().append(key);
                kept.offsets().push_back(kept.bytes().size());
            }
        }
        keys_.bytes().resize(keys_.offsets()[first_row]);
        keys_.offsets().resize(first_row + 1);
        if (selection->empty()) {
            return {};
        }
        uint64_t base = keys_.bytes().size();
        keys_.bytes().append(kept.bytes());
        for (size_t i = 1; i < kept.offsets().size(); ++i) {
            keys_.offsets().push_back(base + kept.offsets()[i]);
        }
        batch.selection = std::move(selection);
    }
    num_rows_ += batch.num_selected();
    batches_.push_back(batch.selection == nullptr ? std::move(batch) : batch.compact());
    add_entries(first_row);
    int64_t kept = spec_->num_kept();
    if (kept >= 0 && num_rows_ > std::max<int64_t>(4 * kept, kMinKeptRows)) {
        shrink();
    }
    count_key_bytes();
    return {};
}

void SortRun::add_entries(uint32_t first_row) {
    entries_.reserve(num_rows_);
    for (uint32_t row = first_row; row < num_rows_; ++row) {
        std::string_view key = keys_[row];
        entries_.push_back({big_endian(key, 0), big_endian(key, 8), row});
    }
}

// Sorts what is there and keeps the best rows; the worst of them becomes the threshold.
void SortRun::shrink() {
    auto kept = static_cast<size_t>(spec_->num_kept());
    auto order = [this](const Entry& left, const Entry& right) {
        return less(*this, left, *this, right);
    };
    if (kept < entries_.size()) {
        std::nth_element(
            entries_.begin(),
            entries_.begin() + static_cast<std::ptrdiff_t>(kept),
            entries_.end(),
            order
        );
        entries_.resize(kept);
    }
    std::sort(entries_.begin(), entries_.end(), [](const Entry& left, const Entry& right) {
        return left.row < right.row;
    });
    // Rows move to dense batches; entries follow in the same order.
    std::vector<Batch> batches;
    SortKeys keys;
    size_t e = 0;
    uint32_t base = 0;
    for (const auto& batch : batches_) {
        std::vector<uint32_t> rows;
        for (; e < entries_.size() && entries_[e].row < base + batch.num_rows; ++e) {
            rows.push_back(entries_[e].row - base);
            keys.bytes().append(keys_[entries_[e].row]);
            keys.offsets().push_back(keys.bytes().size());
        }
        base += batch.num_rows;
        if (rows.empty()) {
            continue;
        }
        Batch dense;
        dense.num_rows = static_cast<uint32_t>(rows.size());
        for (const auto& column : batch.columns) {
            dense.columns.push_back(gather(column, rows.data(), dense.num_rows));
        }
        batches.push_back(std::move(dense));
    }
    batches_ = std::move(batches);
    keys_ = std::move(keys);
    num_rows_ = static_cast<uint32_t>(entries_.size());
    uint32_t worst = 0;
    for (uint32_t row = 0; row < num_rows_; ++row) {
        entries_[row].row = row;
        worst = keys_[worst] < keys_[row] ? row : worst;
    }
    has_threshold_ = true;
    threshold_ = num_rows_ == 0 ? std::string() : std::string(keys_[worst]);
    // Scans keep every bound they are told: with falling input they are told seldom.
    if (spec_->bound.has_value() && num_rows_ > 0 && std::has_single_bit(++num_shrinks_)) {
        publish_bound(worst);
    }
}

// Rows of the scan whose first key is past that of the worst kept row are not needed; equal ones
// are, for the other keys.
void SortRun::publish_bound(uint32_t worst) {
    auto slot = static_cast<size_t>(spec_->keys[0]->slots().front());
    for (const auto& batch : batches_) {
        if (worst >= batch.num_rows) {
            worst -= batch.num_rows;
            continue;
        }
        Scalar value = Scalar::from_column(*batch.columns[slot], worst);
        if (!value.is_null()) {
            spec_->bound->predicates->add(
                {spec_->bound->column_unique_id,
                 spec_->orders[0].ascending ? PredicateOp::kLe : PredicateOp::kGe,
                 value.to_column()}
            );
        }
        return;
    }
}

void SortRun::sort() {
    std::sort(entries_.begin(), entries_.end(), [this](const Entry& left, const Entry& right) {
        return less(*this, left, *this, right);
    });
    int64_t kept = spec_->num_kept();
    if (kept >= 0 && static_cast<int64_t>(entries_.size()) > kept) {
        entries_.resize(static_cast<size_t>(kept));
    }
}

void SortState::add_run(std::unique_ptr<SortRun> run) {
    std::lock_guard lock(mutex_);
    if (run->num_rows() > 0) {
        runs_.push_back(std::move(run));
    }
    if (--pending_sinks_ == 0) {
        seal();
        ready_->set_ready();
    }
}

void SortState::seal() {
    uint32_t base = 0;
    for (const auto& run : runs_) {
        bases_.push_back(base);
        base += run->num_rows();
        heads_.push_back(0);
    }
    for (size_t c = 0; c < spec_->types.size(); ++c) {
        std::vector<ColumnPtr> pieces;
        for (const auto& run : runs_) {
            for (const auto& batch : run->batches()) {
                pieces.push_back(batch.columns[c]);
            }
        }
        columns_.push_back(pieces.empty() ? nullptr : concatenate(pieces));
    }
    to_skip_ = spec_->offset;
    to_give_ = spec_->limit;
}

bool SortState::next(uint32_t max_rows, Batch& batch) {
    std::vector<uint32_t> positions;
    positions.reserve(max_rows);
    while (positions.size() < max_rows && to_give_ != 0) {
        // Few runs (one per task): a linear look for the least head is enough.
        size_t best = runs_.size();
        for (size_t r = 0; r < runs_.size(); ++r) {
            if (heads_[r] < runs_[r]->entries().size() &&
                (best == runs_.size() || SortRun::less(
                                             *runs_[r],
                                             runs_[r]->entries()[heads_[r]],
                                             *runs_[best],
                                             runs_[best]->entries()[heads_[best]]
                                         ))) {
                best = r;
            }
        }
        if (best == runs_.size()) {
            break;
        }
        uint32_t row = bases_[best] + runs_[best]->entries()[heads_[best]++].row;
        if (to_skip_ > 0) {
            --to_skip_;
            continue;
        }
        positions.push_back(row);
        to_give_ -= to_give_ > 0 ? 1 : 0;
    }
    if (positions.empty()) {
        return false;
    }
    batch = {};
    batch.num_rows = static_cast<uint32_t>(positions.size());
    for (const auto& column : columns_) {
        batch.columns.push_back(gather(column, positions.data(), batch.num_rows));
    }
    return true;
}

Result<Poll> SortSink::finish() {
    if (run_ != nullptr) {
        run_->sort();
        state_->add_run(std::move(run_));
    }
    return Poll::finished();
}

}  // namespace thetis
