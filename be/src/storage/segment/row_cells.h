// SPDX-License-Identifier: Apache-2.0
// Single values of encoded rows, without columns in between: what key look-ups read.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "types/data_type.h"

namespace thetis {

/// One value of a row, where it lies: `size_bytes` bytes of its physical form (strings: the text).
struct RowCell {
    enum class State : uint8_t {
        kUnknown,  ///< The encoded row says nothing of the column.
        kAbsent,   ///< The row was written without the column: its default holds.
        kNull,
        kValue
    };

    const char* data = nullptr;
    uint32_t size_bytes = 0;
    State state = State::kUnknown;
};

/// Finds chosen columns in encoded rows. Immutable, thread-safe.
class RowCellReader {
public:
    struct Column {
        int32_t unique_id = 0;
        DataType type{};
    };

    RowCellReader() = default;

    /// Columns in any order, without repetition.
    explicit RowCellReader(std::span<const Column> columns);

    /// Fills `cells`, one per column in the order given; they point into `row`. Corruption when the
    /// row's structure is wrong or a value is not of its column's kind.
    Status read(std::string_view row, RowCell* cells) const;

    /// `row` (may be empty: no row yet) with the entries of further columns that it has none of;
    /// `cells` are in the order of the columns, unknown ones are left out. The result may hold
    /// absent columns: for memory, not for disk.
    std::string complete(std::string_view row, const RowCell* cells) const;

private:
    struct Wanted {
        int32_t unique_id;
        uint32_t kind;
        size_t position;  // In the caller's order.
    };

    std::vector<Wanted> wanted_;  // By unique id.
};

}  // namespace thetis
