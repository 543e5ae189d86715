// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace thetis {

/// A 16-byte string value: length, first four bytes, then either the next eight bytes (up to 12 in
/// all are inline) or a pointer to all bytes, which live in a buffer that the column keeps alive.
/// Comparisons are bytewise and mostly end in the prefix. Layout after Neumann and Freitag, "Umbra:
/// A Disk-Based System with In-Memory Performance" (CIDR 2020).
class StringRef {
public:
    static constexpr uint32_t kInlineBytes = 12;

    StringRef() : size_(0), prefix_{0, 0, 0, 0} { tail_.pointer = nullptr; }

    /// Short strings are copied in; longer ones are referred to and must outlive this value.
    StringRef(const char* data, uint32_t size) : size_(size), prefix_{0, 0, 0, 0} {
        tail_.pointer = nullptr;
        if (size <= kInlineBytes) {
            std::memcpy(prefix_, data, std::min<uint32_t>(size, 4));
            if (size > 4) {
                std::memcpy(tail_.bytes, data + 4, size - 4);
            }
        } else {
            std::memcpy(prefix_, data, 4);
            tail_.pointer = data;
        }
    }

    explicit StringRef(std::string_view text)
        : StringRef(text.data(), static_cast<uint32_t>(text.size())) {}

    uint32_t size() const { return size_; }

    bool is_inline() const { return size_ <= kInlineBytes; }

    /// All bytes; for inline values they lie inside this object.
    const char* data() const {
        return is_inline() ? reinterpret_cast<const char*>(this) + 4 : tail_.pointer;
    }

    std::string_view view() const { return {data(), size_}; }

    /// First four bytes, big-endian, zero padded: orders like the strings as far as it goes.
    uint32_t prefix_order() const {
        uint32_t word;
        std::memcpy(&word, prefix_, 4);
        return __builtin_bswap32(word);
    }

    bool operator==(const StringRef& other) const {
        uint64_t mine;
        uint64_t theirs;
        std::memcpy(&mine, this, 8);
        std::memcpy(&theirs, &other, 8);
        if (mine != theirs) {
            return false;  // Length or prefix differ.
        }
        if (is_inline()) {
            return std::memcmp(tail_.bytes, other.tail_.bytes, 8) == 0;  // Unused bytes are zero.
        }
        return std::memcmp(tail_.pointer + 4, other.tail_.pointer + 4, size_ - 4) == 0;
    }

    /// Negative, zero or positive, bytewise, shorter first.
    int compare(const StringRef& other) const {
        uint32_t mine = prefix_order();
        uint32_t theirs = other.prefix_order();
        if (mine != theirs) {
            return mine < theirs ? -1 : 1;
        }
        int order = std::memcmp(data(), other.data(), std::min(size_, other.size_));
        return order != 0 ? order : (size_ < other.size_ ? -1 : (size_ > other.size_ ? 1 : 0));
    }

    bool operator<(const StringRef& other) const { return compare(other) < 0; }

private:
    uint32_t size_;
    char prefix_[4];

    union {
        char bytes[8];
        const char* pointer;
    } tail_;
};

static_assert(sizeof(StringRef) == 16);

}  // namespace thetis
