// SPDX-License-Identifier: Apache-2.0
#include "column/hashing.h"

#include "base/hash.h"

namespace thetis {

namespace {

constexpr uint64_t kNullHash = 0x5851F42D4C957F2DULL;

template <typename T>
uint64_t hash_value(const T& value) {
    if constexpr (std::is_same_v<T, StringRef>) {
        return hash_bytes(value.data(), value.size());
    } else if constexpr (std::is_floating_point_v<T>) {
        const double wide = value == 0 ? 0.0 : static_cast<double>(value);
        return hash_int(std::bit_cast<uint64_t>(wide));
    } else if constexpr (sizeof(T) == 16) {
        const auto low = static_cast<int64_t>(value);
        const auto high = static_cast<int64_t>(value >> 64);
        // A value that fits 64 bits hashes as that width does.
        return high == low >> 63
                   ? hash_int(static_cast<uint64_t>(low))
                   : hash_combine(
                         hash_int(static_cast<uint64_t>(low)), static_cast<uint64_t>(high)
                     );
    } else {
        return hash_int(static_cast<uint64_t>(static_cast<int64_t>(value)));
    }
}

template <typename HashAt>
void store(
    uint32_t num_rows, const Selection* selection, bool combine, uint64_t* hashes, HashAt hash_at
) {
    const auto loop = [&](auto row_of) {
        if (combine) {
            for (uint32_t i = 0; i < num_rows; ++i) {
                hashes[i] = hash_combine(hashes[i], hash_at(row_of(i)));
            }
        } else {
            for (uint32_t i = 0; i < num_rows; ++i) {
                hashes[i] = hash_at(row_of(i));
            }
        }
    };
    if (selection == nullptr) {
        loop([](uint32_t i) { return i; });
    } else {
        const uint16_t* rows = selection->data();
        loop([rows](uint32_t i) { return uint32_t{rows[i]}; });
    }
}

template <typename T>
void hash_typed(
    const Column& column,
    const Selection* selection,
    uint32_t num_rows,
    bool combine,
    uint64_t* hashes
) {
    if (column.form() == ColumnForm::kConstant) {
        const uint64_t hash =
            column.is_null(0) ? kNullHash : hash_value(column.base()->values<T>()[0]);
        store(num_rows, nullptr, combine, hashes, [hash](uint32_t) { return hash; });
        return;
    }
    const uint64_t* valid = column.valid_words();
    if (column.form() == ColumnForm::kDictionary) {
        const uint32_t* codes = column.codes();
        const uint32_t size = column.base()->size();
        const T* values = column.base()->values<T>();
        if (size <= num_rows) {  // Each dictionary value is hashed once.
            std::vector<uint64_t> of_code(size);
            for (uint32_t i = 0; i < size; ++i) {
                of_code[i] = hash_value(values[i]);
            }
            store(num_rows, selection, combine, hashes, [&](uint32_t row) {
                return validity::is_valid(valid, row) ? of_code[codes[row]] : kNullHash;
            });
        } else {
            store(num_rows, selection, combine, hashes, [=](uint32_t row) {
                return validity::is_valid(valid, row) ? hash_value(values[codes[row]]) : kNullHash;
            });
        }
        return;
    }
    const T* values = column.values<T>();
    if (valid == nullptr) {
        store(num_rows, selection, combine, hashes, [values](uint32_t row) {
            return hash_value(values[row]);
        });
    } else {
        store(num_rows, selection, combine, hashes, [=](uint32_t row) {
            return validity::is_valid(valid, row) ? hash_value(values[row]) : kNullHash;
        });
    }
}

}  // namespace

void hash_column(
    const Column& column,
    const Selection* selection,
    uint32_t num_rows,
    bool combine,
    uint64_t* hashes
) {
    visit_physical(column.physical(), [&](auto tag) {
        hash_typed<decltype(tag)>(column, selection, num_rows, combine, hashes);
    });
}

void hash_rows(
    std::span<const ColumnPtr> columns,
    const Selection* selection,
    uint32_t num_rows,
    uint64_t* hashes
) {
    if (columns.empty()) {
        std::fill_n(hashes, num_rows, 0);
    }
    for (size_t i = 0; i < columns.size(); ++i) {
        hash_column(*columns[i], selection, num_rows, i > 0, hashes);
    }
}

}  // namespace thetis
