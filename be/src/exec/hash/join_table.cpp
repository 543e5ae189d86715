// SPDX-License-Identifier: Apache-2.0
#include "exec/hash/join_table.h"

#include <bit>
#include <cstring>

namespace thetis {

namespace {
constexpr uint32_t kPrefetchDistance = 16;
constexpr int kShift = 64 - JoinKeyRun::kPartitionBits;
}  // namespace

void JoinKeyRun::append(const KeyRows& keys, uint32_t first_row, const uint16_t* rows) {
    uint32_t count = keys.size();
    size_t begin = hashes_.size();
    hashes_.insert(hashes_.end(), keys.hashes(), keys.hashes() + count);
    rows_.resize(begin + count);
    for (uint32_t i = 0; i < count; ++i) {
        rows_[begin + i] = first_row + (rows == nullptr ? i : rows[i]);
        ++histogram_[keys.hashes()[i] >> kShift];
    }
    if (width_ == KeyWidth::k16) {
        keys16_.insert(keys16_.end(), keys.keys16(), keys.keys16() + count);
    } else if (width_ == KeyWidth::kBytes) {
        byte_keys_.resize(begin + count);
        for (uint32_t i = 0; i < count; ++i) {
            uint32_t size = keys.offsets()[i + 1] - keys.offsets()[i];
            char* copy = arena_.allocate(size + 4, 1);
            std::memcpy(copy, &size, 4);
            std::memcpy(copy + 4, keys.bytes() + keys.offsets()[i], size);
            byte_keys_[begin + i] = reinterpret_cast<const uint8_t*>(copy);
        }
    }
}

void JoinTable::plan(
    std::vector<std::unique_ptr<JoinKeyRun>> runs, std::vector<uint32_t> row_bases, size_t num_parts
) {
    runs_ = std::move(runs);
    row_bases_ = std::move(row_bases);
    num_parts_ = std::clamp<size_t>(num_parts, 1, JoinKeyRun::kNumPartitions);
    std::array<uint64_t, JoinKeyRun::kNumPartitions> counts{};
    for (const auto& run : runs_) {
        for (size_t p = 0; p < counts.size(); ++p) {
            counts[p] += run->histogram()[p];
        }
    }
    for (size_t p = 0; p < counts.size(); ++p) {
        partition_begins_[p + 1] = partition_begins_[p] + counts[p];
    }
    num_keys_ = partition_begins_.back();
    directory_bits_ =
        std::max(JoinKeyRun::kPartitionBits, static_cast<int>(std::bit_width(num_keys_)));
    directory_ = TrackedVector<uint64_t>((size_t{1} << directory_bits_) + 1, uint64_t{0});
    switch (width_) {
        case KeyWidth::k8:
            entries8_ = TrackedVector<Entry8>(num_keys_);
            break;
        case KeyWidth::k16:
            entries16_ = TrackedVector<Entry16>(num_keys_);
            break;
        case KeyWidth::kBytes:
            entries_bytes_ = TrackedVector<EntryBytes>(num_keys_);
            break;
    }
}

void JoinTable::build_part(size_t part) {
    switch (width_) {
        case KeyWidth::k8:
            return build_part_as(part, entries8_);
        case KeyWidth::k16:
            return build_part_as(part, entries16_);
        case KeyWidth::kBytes:
            return build_part_as(part, entries_bytes_);
    }
}

template <typename Entry>
void JoinTable::build_part_as(size_t part, TrackedVector<Entry>& entries) {
    size_t first = JoinKeyRun::kNumPartitions * part / num_parts_;
    size_t last = JoinKeyRun::kNumPartitions * (part + 1) / num_parts_;
    uint64_t begin = partition_begins_[first];
    // Entries go to their partition first, so that the random access that follows stays within a
    // cache's reach.
    TrackedVector<Entry> scattered(partition_begins_[last] - begin + 1);
    std::array<uint64_t, JoinKeyRun::kNumPartitions + 1> ends{};
    for (size_t p = first; p < last; ++p) {
        ends[p] = partition_begins_[p] - begin;
    }
    for (size_t r = 0; r < runs_.size(); ++r) {
        scatter_run(*runs_[r], row_bases_[r], first, last, ends, scattered);
    }
    for (size_t p = first; p < last; ++p) {
        uint64_t from = partition_begins_[p];
        std::span<const Entry> part_entries(
            scattered.data() + (from - begin), partition_begins_[p + 1] - from
        );
        sort_partition<Entry>(p, part_entries, entries);
    }
}

// Copies the run's keys of partitions [first, last) to where `ends` says; keys of other partitions
// fall on the last element.
template <typename Entry>
void JoinTable::scatter_run(
    const JoinKeyRun& run,
    uint32_t row_base,
    size_t first,
    size_t last,
    std::array<uint64_t, JoinKeyRun::kNumPartitions + 1>& ends,
    TrackedVector<Entry>& scattered
) {
    const uint64_t* hashes = run.hashes();
    size_t count = run.size();
    bool takes_all = first == 0 && last == JoinKeyRun::kNumPartitions;
    uint64_t discard = scattered.size() - 1;
    for (size_t i = 0; i < count; ++i) {
        size_t p = hashes[i] >> kShift;
        bool is_mine = takes_all || p - first < last - first;
        uint64_t at = is_mine ? ends[p] : discard;
        ends[p] += is_mine ? 1 : 0;
        Entry& entry = scattered[at];
        entry.row = row_base + run.rows()[i];
        entry.hash = hashes[i];
        if constexpr (std::is_same_v<Entry, Entry16>) {
            entry.low = static_cast<uint64_t>(run.keys16()[i]);
            entry.high = static_cast<uint64_t>(run.keys16()[i] >> 64);
        } else if constexpr (std::is_same_v<Entry, EntryBytes>) {
            entry.key = run.byte_keys()[i];
        }
    }
}

// Fills the partition's piece of the directory and puts its entries in the order of their prefixes.
template <typename Entry>
void JoinTable::sort_partition(
    size_t partition, std::span<const Entry> unsorted, TrackedVector<Entry>& entries
) {
    int shift = 64 - directory_bits_;
    uint64_t* directory = directory_.data() + 1;
    for (const Entry& entry : unsorted) {
        uint64_t& word = directory[entry.hash >> shift];
        word = (word + 0x10000) | bloom_bits(entry.hash);
    }
    // Counts become begins; the copying below moves each to its end.
    uint64_t position = partition_begins_[partition];
    size_t num_slots = size_t{1} << (directory_bits_ - JoinKeyRun::kPartitionBits);
    for (size_t slot = partition * num_slots; slot < (partition + 1) * num_slots; ++slot) {
        uint64_t word = directory[slot];
        directory[slot] = (position << 16) | (word & 0xFFFF);
        position += word >> 16;
    }
    for (const Entry& entry : unsorted) {
        uint64_t& word = directory[entry.hash >> shift];
        entries[word >> 16] = entry;
        word += 0x10000;
    }
}

void JoinTable::finish_build() {
    if (width_ != KeyWidth::kBytes) {
        runs_.clear();
    }
}

void JoinTable::find_candidates(const KeyRows& keys, const uint64_t* usable, Candidates& candidates)
    const {
    uint32_t count = keys.size();
    if (candidates.keys.size() < count) {
        candidates.keys.resize(count);
        candidates.begins.resize(count);
        candidates.ends.resize(count);
    }
    candidates.size = 0;
    if (num_keys_ == 0) {
        return;
    }
    const uint64_t* hashes = keys.hashes();
    const uint64_t* directory = directory_.data();
    int shift = 64 - directory_bits_;
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (i + kPrefetchDistance < count) {
            __builtin_prefetch(directory + (hashes[i + kPrefetchDistance] >> shift));
        }
        uint64_t hash = hashes[i];
        uint64_t slot = hash >> shift;
        uint64_t word = directory[slot + 1];
        uint64_t bits = bloom_bits(hash);
        candidates.keys[found] = i;
        candidates.begins[found] = static_cast<uint32_t>(directory[slot] >> 16);
        candidates.ends[found] = static_cast<uint32_t>(word >> 16);
        found += (word & bits) == bits ? 1 : 0;
    }
    if (usable != nullptr) {
        uint32_t kept = 0;
        for (uint32_t i = 0; i < found; ++i) {
            candidates.keys[kept] = candidates.keys[i];
            candidates.begins[kept] = candidates.begins[i];
            candidates.ends[kept] = candidates.ends[i];
            kept += validity::is_valid(usable, candidates.keys[i]) ? 1 : 0;
        }
        found = kept;
    }
    candidates.size = found;
}

template <typename Entry>
const TrackedVector<Entry>& JoinTable::entries_as() const {
    if constexpr (std::is_same_v<Entry, Entry8>) {
        return entries8_;
    } else if constexpr (std::is_same_v<Entry, Entry16>) {
        return entries16_;
    } else {
        return entries_bytes_;
    }
}

template <typename Entry>
bool JoinTable::equals(const Entry& entry, const KeyRows& keys, uint32_t key) {
    if constexpr (std::is_same_v<Entry, Entry8>) {
        return entry.hash == keys.hashes()[key];
    } else if constexpr (std::is_same_v<Entry, Entry16>) {
        uint128_t wanted = keys.keys16()[key];
        return entry.low == static_cast<uint64_t>(wanted) &&
               entry.high == static_cast<uint64_t>(wanted >> 64);
    } else {
        if (entry.hash != keys.hashes()[key]) {
            return false;
        }
        uint32_t begin = keys.offsets()[key];
        uint32_t size = keys.offsets()[key + 1] - begin;
        uint32_t entry_size;
        std::memcpy(&entry_size, entry.key, 4);
        return entry_size == size && std::memcmp(entry.key + 4, keys.bytes() + begin, size) == 0;
    }
}

template <typename Entry>
uint32_t JoinTable::match_as(
    const KeyRows& keys,
    const Candidates& candidates,
    JoinCursor& cursor,
    uint32_t* key_numbers,
    uint32_t* build_rows,
    uint32_t capacity
) const {
    const Entry* entries = entries_as<Entry>().data();
    uint32_t found = 0;
    uint32_t c = cursor.candidate;
    uint32_t e = cursor.entry;
    for (; c < candidates.size; ++c, e = 0) {
        if (c + kPrefetchDistance < candidates.size) {
            __builtin_prefetch(entries + candidates.begins[c + kPrefetchDistance]);
        }
        uint32_t key = candidates.keys[c];
        uint32_t end = candidates.ends[c];
        for (uint32_t at = candidates.begins[c] + e; at < end; ++at) {
            if (found == capacity) {
                cursor = {c, at - candidates.begins[c]};
                return found;
            }
            key_numbers[found] = key;
            build_rows[found] = entries[at].row;
            found += equals(entries[at], keys, key) ? 1 : 0;
        }
    }
    cursor = {c, 0};
    return found;
}

template <typename Entry>
uint32_t JoinTable::match_any_as(
    const KeyRows& keys, const Candidates& candidates, uint16_t* key_numbers
) const {
    const Entry* entries = entries_as<Entry>().data();
    uint32_t found = 0;
    for (uint32_t c = 0; c < candidates.size; ++c) {
        if (c + kPrefetchDistance < candidates.size) {
            __builtin_prefetch(entries + candidates.begins[c + kPrefetchDistance]);
        }
        uint32_t key = candidates.keys[c];
        for (uint32_t at = candidates.begins[c]; at < candidates.ends[c]; ++at) {
            if (equals(entries[at], keys, key)) {
                key_numbers[found++] = static_cast<uint16_t>(key);
                break;
            }
        }
    }
    return found;
}

uint32_t JoinTable::match(
    const KeyRows& keys,
    const Candidates& candidates,
    JoinCursor& cursor,
    uint32_t* key_numbers,
    uint32_t* build_rows,
    uint32_t capacity
) const {
    switch (width_) {
        case KeyWidth::k8:
            return match_as<Entry8>(keys, candidates, cursor, key_numbers, build_rows, capacity);
        case KeyWidth::k16:
            return match_as<Entry16>(keys, candidates, cursor, key_numbers, build_rows, capacity);
        default:
            return match_as<EntryBytes>(
                keys, candidates, cursor, key_numbers, build_rows, capacity
            );
    }
}

uint32_t JoinTable::match_any(
    const KeyRows& keys, const Candidates& candidates, uint16_t* key_numbers
) const {
    switch (width_) {
        case KeyWidth::k8:
            return match_any_as<Entry8>(keys, candidates, key_numbers);
        case KeyWidth::k16:
            return match_any_as<Entry16>(keys, candidates, key_numbers);
        default:
            return match_any_as<EntryBytes>(keys, candidates, key_numbers);
    }
}

}  // namespace thetis
