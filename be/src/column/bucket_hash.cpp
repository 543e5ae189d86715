// SPDX-License-Identifier: Apache-2.0
#include "column/bucket_hash.h"

#include "base/hash.h"

namespace thetis {

void bucket_hash(std::span<const ColumnPtr> columns, uint32_t num_rows, uint32_t* hashes) {
    std::fill_n(hashes, num_rows, 0);
    for (const ColumnPtr& column : columns) {
        visit_physical(column->physical(), [&](auto tag) {
            using T = decltype(tag);
            const ColumnView<T> view(*column);
            for (uint32_t i = 0; i < num_rows; ++i) {
                if (!view.is_valid(i)) {
                    const uint32_t zero = 0;
                    hashes[i] = crc32c(hashes[i], &zero, sizeof(zero));
                } else if constexpr (std::is_same_v<T, StringRef>) {
                    const StringRef& text = view[i];
                    hashes[i] = crc32c(hashes[i], text.data(), text.size());
                } else {
                    const T value = view[i];
                    hashes[i] = crc32c(hashes[i], &value, sizeof(T));
                }
            }
        });
    }
}

}  // namespace thetis
