// SPDX-License-Identifier: Apache-2.0
#include "storage/segment/dictionary_builder.h"

#include "base/hash.h"

namespace thetis {

namespace {

// Most columns of a small load have few values; it grows with them.
constexpr size_t kFirstSlots = 64;

uint64_t hash_of(const StringRef& value) {
    if (value.is_inline()) {
        uint64_t words[2];
        std::memcpy(words, &value, sizeof(words));
        return hash_combine(hash_int(words[0]), words[1]);
    }
    return hash_bytes(value.data(), value.size());
}

}  // namespace

DictionaryBuilder::DictionaryBuilder() : slots_(kFirstSlots) {}

bool DictionaryBuilder::encode(
    const Column& column, uint32_t max_entries, size_t max_bytes, std::vector<uint32_t>& codes
) {
    const auto* values = column.values<StringRef>();
    const uint64_t* valid = column.valid_words();
    const size_t entries_before = entries_.size();
    const size_t bytes_before = num_bytes_;
    const size_t codes_before = codes.size();
    codes.resize(codes_before + column.size());
    uint32_t* target = codes.data() + codes_before;
    for (uint32_t row = 0; row < column.size(); ++row) {
        target[row] = validity::is_valid(valid, row) ? find_or_add(values[row]) : 0;
        if (entries_.size() > max_entries || num_bytes_ > max_bytes) {
            entries_.resize(entries_before);
            hashes_.resize(entries_before);
            num_bytes_ = bytes_before;
            codes.resize(codes_before);
            slots_.assign(slots_.size(), Slot{});
            for (uint32_t code = 0; code < entries_.size(); ++code) {
                uint64_t slot = hashes_[code];
                while (slots_[slot & (slots_.size() - 1)].code != UINT32_MAX) {
                    ++slot;
                }
                slots_[slot & (slots_.size() - 1)] = Slot{hashes_[code], code};
            }
            return false;
        }
    }
    if (entries_.empty() && column.size() > 0) {
        find_or_add(StringRef());  // All rows are null: code 0 must still name something.
    }
    if (entries_.size() > entries_before) {
        payloads_.insert(payloads_.end(), column.payloads().begin(), column.payloads().end());
    }
    return true;
}

uint32_t DictionaryBuilder::find_or_add(StringRef value) {
    const uint64_t hash = hash_of(value);
    for (uint64_t position = hash;; ++position) {
        Slot& slot = slots_[position & (slots_.size() - 1)];
        if (slot.code == UINT32_MAX) {
            slot = Slot{hash, static_cast<uint32_t>(entries_.size())};
            entries_.push_back(value);
            hashes_.push_back(hash);
            num_bytes_ += value.size();
            if (entries_.size() * 2 > slots_.size()) {
                grow();
            }
            return static_cast<uint32_t>(entries_.size() - 1);
        }
        if (slot.hash == hash && entries_[slot.code] == value) {
            return slot.code;
        }
    }
}

void DictionaryBuilder::grow() {
    std::vector<Slot> slots(slots_.size() * 2);
    for (uint32_t code = 0; code < entries_.size(); ++code) {
        uint64_t position = hashes_[code];
        while (slots[position & (slots.size() - 1)].code != UINT32_MAX) {
            ++position;
        }
        slots[position & (slots.size() - 1)] = Slot{hashes_[code], code};
    }
    slots_.swap(slots);
}

ColumnPtr DictionaryBuilder::column(const DataType& type) const {
    DataType entry_type = type;
    entry_type.nullable = false;
    return Column::flat(
        entry_type,
        size(),
        Buffer::copy_of(entries_.data(), entries_.size() * sizeof(StringRef)),
        nullptr,
        payloads_
    );
}

ColumnPtr DictionaryBuilder::column(const DataType& type, const std::vector<uint32_t>& codes)
    const {
    std::vector<StringRef> values;
    values.reserve(codes.size());
    for (const uint32_t code : codes) {
        values.push_back(entries_[code]);
    }
    return Column::flat(
        type,
        static_cast<uint32_t>(codes.size()),
        Buffer::copy_of(values.data(), values.size() * sizeof(StringRef)),
        nullptr,
        payloads_
    );
}

}  // namespace thetis
