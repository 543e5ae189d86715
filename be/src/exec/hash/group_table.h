// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "base/memory/arena.h"
#include "exec/hash/key_rows.h"
#include "exec/pipeline/tracked_vector.h"

namespace thetis {

/// Numbers distinct keys 0, 1, 2, ... in the order they first come. Open addressing, linear
/// probing, at most half full. Knows nothing of aggregates. Not thread-safe.
class GroupTable {
public:
    explicit GroupTable(const KeyLayout& layout);

    /// groups[i] = number of key i of `keys`; unknown keys get the next numbers.
    void find_or_insert(const KeyRows& keys, uint32_t* groups);

    /// Keys `numbers[0..count)` of `other`, which has the same layout: the merge of two tables.
    void find_or_insert_from(
        const GroupTable& other, const uint32_t* numbers, uint32_t count, uint32_t* groups
    );

    /// Makes room for `more` keys, so that adding them does not rehash.
    void expect(uint32_t more) { reserve(more); }

    uint32_t num_groups() const { return num_groups_; }

    uint64_t hash(uint32_t group) const { return hashes_[group]; }

    /// The key columns of groups [begin, begin + count).
    std::vector<ColumnPtr> key_columns(uint32_t begin, uint32_t count) const;
    /// The key columns of the named groups.
    std::vector<ColumnPtr> key_columns(const uint32_t* groups, uint32_t count) const;

    /// Forgets all keys, keeps the memory.
    void clear();

    size_t memory_bytes() const;

private:
    struct Slot {
        uint64_t hash;
        uint32_t group;
    };

    static constexpr uint32_t kEmpty = UINT32_MAX;

    struct Keys8;
    struct Keys16;
    struct KeysBytes;

    template <typename Access, typename Input>
    void insert_all(const Input& input, uint32_t count, uint32_t* groups);
    void reserve(uint32_t more);
    void rehash(size_t num_slots);

    const KeyLayout& layout_;
    uint32_t num_groups_ = 0;
    size_t mask_ = 0;
    TrackedVector<Slot> slots_;
    TrackedVector<uint64_t> hashes_;
    TrackedVector<uint64_t> keys8_;
    TrackedVector<uint128_t> keys16_;
    TrackedVector<const uint8_t*> byte_keys_;  // 4-byte size, then the key.
    Arena arena_;
};

}  // namespace thetis
