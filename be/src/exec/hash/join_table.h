// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "base/memory/arena.h"
#include "exec/hash/key_rows.h"
#include "exec/pipeline/tracked_vector.h"

namespace thetis {

/// The build keys one task has collected. Not thread-safe.
class JoinKeyRun {
public:
    static constexpr int kPartitionBits = 6;
    static constexpr size_t kNumPartitions = size_t{1} << kPartitionBits;

    explicit JoinKeyRun(KeyWidth width) : width_(width) {}

    /// Key i of `keys` belongs to the task's build row `first_row + (rows == nullptr ? i :
    /// rows[i])`.
    void append(const KeyRows& keys, uint32_t first_row, const uint16_t* rows);

    size_t size() const { return hashes_.size(); }

    const uint64_t* hashes() const { return hashes_.data(); }

    const uint32_t* rows() const { return rows_.data(); }

    const uint128_t* keys16() const { return keys16_.data(); }

    const uint8_t* const* byte_keys() const { return byte_keys_.data(); }

    /// Keys per partition: the top bits of the hash.
    const std::array<uint64_t, kNumPartitions>& histogram() const { return histogram_; }

private:
    KeyWidth width_;
    TrackedVector<uint64_t> hashes_;
    TrackedVector<uint32_t> rows_;
    TrackedVector<uint128_t> keys16_;
    TrackedVector<const uint8_t*> byte_keys_;  // 4-byte size, then the key.
    Arena arena_;
    std::array<uint64_t, kNumPartitions> histogram_{};
};

/// Where probing stands within one batch of keys.
struct JoinCursor {
    uint32_t candidate = 0;
    uint32_t entry = 0;
};

/// The directory and entries of a hash join, after Birler, Schmidt, Fent and Neumann, "Simple,
/// Efficient, and Robust Hash Tables for Join Processing" (DaMoN 2024): entries lie sorted by hash
/// prefix in one array; a directory word per prefix holds the end of its run and 16 bloom bits, so
/// most misses cost one access and chains are contiguous. Built in parallel by ranges of prefixes,
/// then immutable and shared by all probing tasks.
class JoinTable {
public:
    explicit JoinTable(KeyWidth width) : width_(width) {}

    /// Takes the runs of all tasks; `row_bases[i]` is added to the rows of run i. Afterwards
    /// build_part() runs for each part.
    void plan(
        std::vector<std::unique_ptr<JoinKeyRun>> runs,
        std::vector<uint32_t> row_bases,
        size_t num_parts
    );

    size_t num_parts() const { return num_parts_; }

    /// Sorts one range of hash prefixes into place. Parts are independent of each other.
    void build_part(size_t part);

    /// Frees the runs (byte keys stay). After all parts.
    void finish_build();

    uint64_t num_keys() const { return num_keys_; }

    /// Candidates of one batch: keys whose bloom bits are set, with their run of entries.
    struct Candidates {
        std::vector<uint32_t> keys;
        std::vector<uint32_t> begins;
        std::vector<uint32_t> ends;
        uint32_t size = 0;
    };

    /// Fills `candidates` for all keys; `skip` marks keys that never match (bit i of the words set:
    /// usable), may be null.
    void find_candidates(const KeyRows& keys, const uint64_t* usable, Candidates& candidates) const;

    /// Writes up to `capacity` pairs (key number, build row) and moves the cursor; fewer than
    /// `capacity` means the end.
    uint32_t match(
        const KeyRows& keys,
        const Candidates& candidates,
        JoinCursor& cursor,
        uint32_t* key_numbers,
        uint32_t* build_rows,
        uint32_t capacity
    ) const;

    /// Writes the numbers of keys that have at least one match, ascending.
    uint32_t match_any(const KeyRows& keys, const Candidates& candidates, uint16_t* key_numbers)
        const;

private:
    struct Entry8 {
        uint64_t hash;  // Of the bijective hash: stands for the key.
        uint32_t row;
    };

    struct Entry16 {
        uint64_t hash;
        uint64_t low;
        uint64_t high;
        uint32_t row;
    };

    struct EntryBytes {
        uint64_t hash;
        const uint8_t* key;
        uint32_t row;
    };

    static uint64_t bloom_bits(uint64_t hash) {
        return (uint64_t{1} << (hash & 15)) | (uint64_t{1} << ((hash >> 4) & 15));
    }

    template <typename Entry>
    void build_part_as(size_t part, TrackedVector<Entry>& entries);

    template <typename Entry>
    static void scatter_run(
        const JoinKeyRun& run,
        uint32_t row_base,
        size_t first,
        size_t last,
        std::array<uint64_t, JoinKeyRun::kNumPartitions + 1>& ends,
        TrackedVector<Entry>& scattered
    );

    template <typename Entry>
    void sort_partition(
        size_t partition, std::span<const Entry> unsorted, TrackedVector<Entry>& entries
    );

    template <typename Entry>
    const TrackedVector<Entry>& entries_as() const;

    template <typename Entry>
    static bool equals(const Entry& entry, const KeyRows& keys, uint32_t key);

    template <typename Entry>
    uint32_t match_as(
        const KeyRows& keys,
        const Candidates& candidates,
        JoinCursor& cursor,
        uint32_t* key_numbers,
        uint32_t* build_rows,
        uint32_t capacity
    ) const;

    template <typename Entry>
    uint32_t match_any_as(const KeyRows& keys, const Candidates& candidates, uint16_t* key_numbers)
        const;

    KeyWidth width_;
    std::vector<std::unique_ptr<JoinKeyRun>> runs_;
    std::vector<uint32_t> row_bases_;
    size_t num_parts_ = 1;
    uint64_t num_keys_ = 0;
    int directory_bits_ = JoinKeyRun::kPartitionBits;
    std::array<uint64_t, JoinKeyRun::kNumPartitions + 1> partition_begins_{};
    // Word s + 1: end of the run of prefix s in the upper 48 bits, bloom bits below. Word 0 is 0.
    TrackedVector<uint64_t> directory_;
    TrackedVector<Entry8> entries8_;
    TrackedVector<Entry16> entries16_;
    TrackedVector<EntryBytes> entries_bytes_;
};

}  // namespace thetis
