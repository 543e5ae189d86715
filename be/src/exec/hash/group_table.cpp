// SPDX-License-Identifier: Apache-2.0
#include "exec/hash/group_table.h"

#include <bit>
#include <cstring>

namespace thetis {

namespace {

constexpr size_t kFirstSlots = 1024;
constexpr uint32_t kPrefetchDistance = 16;
constexpr size_t kPrefetchFromSlots = size_t{1}
                                      << 14;  // Smaller tables stay in the nearest caches.

/// Keys of a batch, or of another table, seen the same way.
struct BatchInput {
    const KeyRows& keys;

    uint64_t hash(uint32_t i) const { return keys.hashes()[i]; }

    uint64_t key8(uint32_t i) const { return keys.keys8()[i]; }

    uint128_t key16(uint32_t i) const { return keys.keys16()[i]; }

    std::string_view bytes(uint32_t i) const {
        return {
            reinterpret_cast<const char*>(keys.bytes()) + keys.offsets()[i],
            keys.offsets()[i + 1] - keys.offsets()[i]
        };
    }
};

std::string_view sized_bytes(const uint8_t* key) {
    uint32_t size;
    std::memcpy(&size, key, 4);
    return {reinterpret_cast<const char*>(key) + 4, size};
}

struct TableInput {
    const uint64_t* hashes;
    const uint64_t* keys8;
    const uint128_t* keys16;
    const uint8_t* const* byte_keys;
    const uint32_t* numbers;

    uint64_t hash(uint32_t i) const { return hashes[numbers[i]]; }

    uint64_t key8(uint32_t i) const { return keys8[numbers[i]]; }

    uint128_t key16(uint32_t i) const { return keys16[numbers[i]]; }

    std::string_view bytes(uint32_t i) const { return sized_bytes(byte_keys[numbers[i]]); }
};

}  // namespace

// k8 hashes are bijective: equal hashes are equal keys.
struct GroupTable::Keys8 {
    template <typename Input>
    static bool equals(const GroupTable&, uint32_t, const Input&, uint32_t) {
        return true;
    }

    template <typename Input>
    static void add(GroupTable& table, const Input& input, uint32_t i) {
        table.keys8_.push_back(input.key8(i));
    }
};

struct GroupTable::Keys16 {
    template <typename Input>
    static bool equals(const GroupTable& table, uint32_t group, const Input& input, uint32_t i) {
        return table.keys16_[group] == input.key16(i);
    }

    template <typename Input>
    static void add(GroupTable& table, const Input& input, uint32_t i) {
        table.keys16_.push_back(input.key16(i));
    }
};

struct GroupTable::KeysBytes {
    template <typename Input>
    static bool equals(const GroupTable& table, uint32_t group, const Input& input, uint32_t i) {
        return sized_bytes(table.byte_keys_[group]) == input.bytes(i);
    }

    template <typename Input>
    static void add(GroupTable& table, const Input& input, uint32_t i) {
        std::string_view key = input.bytes(i);
        auto size = static_cast<uint32_t>(key.size());
        char* copy = table.arena_.allocate(size + 4, 1);
        std::memcpy(copy, &size, 4);
        std::memcpy(copy + 4, key.data(), size);
        table.byte_keys_.push_back(reinterpret_cast<const uint8_t*>(copy));
    }
};

GroupTable::GroupTable(const KeyLayout& layout) : layout_(layout) {
    rehash(kFirstSlots);
}

void GroupTable::rehash(size_t num_slots) {
    slots_.clear();
    slots_.resize(num_slots, Slot{0, kEmpty});
    mask_ = num_slots - 1;
    for (uint32_t group = 0; group < num_groups_; ++group) {
        size_t at = hashes_[group] & mask_;
        while (slots_[at].group != kEmpty) {
            at = (at + 1) & mask_;
        }
        slots_[at] = {hashes_[group], group};
    }
}

void GroupTable::reserve(uint32_t more) {
    size_t needed = (static_cast<size_t>(num_groups_) + more) * 2;
    if (needed > slots_.size()) {
        // Room for the worst case of this batch; four-fold steps while small, two-fold later.
        rehash(std::bit_ceil(std::max(
            needed, slots_.size() < (size_t{1} << 20) ? slots_.size() * 4 : slots_.size() * 2
        )));
    }
}

template <typename Access, typename Input>
void GroupTable::insert_all(const Input& input, uint32_t count, uint32_t* groups) {
    // At most `count` new keys: growing beforehand keeps the loop free of checks, but only when the
    // table is near its bound.
    reserve(count);
    Slot* slots = slots_.data();
    bool prefetch = slots_.size() >= kPrefetchFromSlots;
    for (uint32_t i = 0; i < count; ++i) {
        if (prefetch && i + kPrefetchDistance < count) {
            __builtin_prefetch(slots + (input.hash(i + kPrefetchDistance) & mask_));
        }
        uint64_t hash = input.hash(i);
        size_t at = hash & mask_;
        while (true) {
            Slot& slot = slots[at];
            if (slot.group == kEmpty) {
                slot = {hash, num_groups_};
                hashes_.push_back(hash);
                Access::add(*this, input, i);
                groups[i] = num_groups_++;
                break;
            }
            if (slot.hash == hash && Access::equals(*this, slot.group, input, i)) {
                groups[i] = slot.group;
                break;
            }
            at = (at + 1) & mask_;
        }
    }
}

void GroupTable::find_or_insert(const KeyRows& keys, uint32_t* groups) {
    BatchInput input{keys};
    switch (layout_.width()) {
        case KeyWidth::k8:
            return insert_all<Keys8>(input, keys.size(), groups);
        case KeyWidth::k16:
            return insert_all<Keys16>(input, keys.size(), groups);
        case KeyWidth::kBytes:
            return insert_all<KeysBytes>(input, keys.size(), groups);
    }
}

void GroupTable::find_or_insert_from(
    const GroupTable& other, const uint32_t* numbers, uint32_t count, uint32_t* groups
) {
    TableInput input{
        other.hashes_.data(),
        other.keys8_.data(),
        other.keys16_.data(),
        other.byte_keys_.data(),
        numbers
    };
    switch (layout_.width()) {
        case KeyWidth::k8:
            return insert_all<Keys8>(input, count, groups);
        case KeyWidth::k16:
            return insert_all<Keys16>(input, count, groups);
        case KeyWidth::kBytes:
            return insert_all<KeysBytes>(input, count, groups);
    }
}

std::vector<ColumnPtr> GroupTable::key_columns(uint32_t begin, uint32_t count) const {
    std::vector<uint32_t> groups(count);
    for (uint32_t i = 0; i < count; ++i) {
        groups[i] = begin + i;
    }
    return key_columns(groups.data(), count);
}

std::vector<ColumnPtr> GroupTable::key_columns(const uint32_t* groups, uint32_t count) const {
    KeyUnpacker unpacker(layout_);
    switch (layout_.width()) {
        case KeyWidth::k8: {
            std::vector<uint64_t> keys(count);
            for (uint32_t i = 0; i < count; ++i) {
                keys[i] = keys8_[groups[i]];
            }
            return unpacker.unpack8(keys.data(), count);
        }
        case KeyWidth::k16: {
            std::vector<uint128_t> keys(count);
            for (uint32_t i = 0; i < count; ++i) {
                keys[i] = keys16_[groups[i]];
            }
            return unpacker.unpack16(keys.data(), count);
        }
        default: {
            std::vector<const uint8_t*> keys(count);
            for (uint32_t i = 0; i < count; ++i) {
                keys[i] = byte_keys_[groups[i]] + 4;
            }
            return unpacker.unpack_bytes(keys.data(), count);
        }
    }
}

void GroupTable::clear() {
    num_groups_ = 0;
    hashes_.clear();
    keys8_.clear();
    keys16_.clear();
    byte_keys_.clear();
    arena_.clear();
    rehash(kFirstSlots);
}

size_t GroupTable::memory_bytes() const {
    return slots_.capacity() * sizeof(Slot) + hashes_.capacity() * 8 + keys8_.capacity() * 8 +
           keys16_.capacity() * 16 + byte_keys_.capacity() * 8 + arena_.memory_bytes();
}

}  // namespace thetis
