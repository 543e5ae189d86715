// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "column/builder.h"

namespace thetis {

/// Gives every distinct string of a column a code, in order of appearance. Not thread-safe.
class DictionaryBuilder {
public:
    DictionaryBuilder();

    /// Appends the code of each row to `codes` (0 under nulls); false, leaving the dictionary as it
    /// was, when it would grow past `max_entries` entries or `max_bytes` bytes of strings.
    bool encode(
        const Column& column, uint32_t max_entries, size_t max_bytes, std::vector<uint32_t>& codes
    );

    uint32_t size() const { return static_cast<uint32_t>(entries_.size()); }

    /// Entries by code. Views stay valid while the columns given to encode() live or are copied by
    /// column().
    ColumnPtr column(const DataType& type) const;
    /// The entries with the given codes.
    ColumnPtr column(const DataType& type, const std::vector<uint32_t>& codes) const;

private:
    struct Slot {
        uint64_t hash = 0;
        uint32_t code = UINT32_MAX;
    };

    uint32_t find_or_add(StringRef value);
    void grow();

    std::vector<StringRef> entries_;
    std::vector<uint64_t> hashes_;
    std::vector<Slot> slots_;
    std::vector<BufferPtr> payloads_;
    size_t num_bytes_ = 0;
};

}  // namespace thetis
