// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "column/batch.h"
#include "column/scalar.h"
#include "exec/pipeline/dependency.h"
#include "exec/pipeline/tracked_vector.h"
#include "storage/predicate/column_filter.h"

namespace thetis {

/// Register-blocked bloom filter: all four bits of a key lie in one 64-bit word, so a test costs
/// one access.
class BlockedBloom {
public:
    explicit BlockedBloom(uint64_t num_keys);

    void add(uint64_t hash) { words_[word(hash)] |= bits(hash); }

    bool may_contain(uint64_t hash) const {
        uint64_t wanted = bits(hash);
        return (words_[word(hash)] & wanted) == wanted;
    }

    void merge(const BlockedBloom& other);

private:
    size_t word(uint64_t hash) const { return static_cast<size_t>(hash >> 32) & mask_; }

    static uint64_t bits(uint64_t hash) {
        return (uint64_t{1} << (hash & 63)) | (uint64_t{1} << ((hash >> 6) & 63)) |
               (uint64_t{1} << ((hash >> 12) & 63)) | (uint64_t{1} << ((hash >> 18) & 63));
    }

    TrackedVector<uint64_t> words_;
    size_t mask_;
};

/// A bit per number between two bounds: exact, and kind to caches where keys come in order.
class RangeBits {
public:
    RangeBits(uint64_t first, uint64_t last);

    /// Whether so many keys in that range are better held as bits than in a bloom filter.
    static bool suits(uint64_t first, uint64_t last, uint64_t num_keys);

    void add(uint64_t number) {
        words_[(number - first_) >> 6] |= uint64_t{1} << ((number - first_) & 63);
    }

    bool contains(uint64_t number) const {
        const uint64_t bit = number - first_;
        const uint64_t inside = bit <= span_ ? 1 : 0;
        const uint64_t at =
            inside != 0 ? bit : 0;  // A number outside asks in vain, not in a branch.
        return ((words_[at >> 6] >> (at & 63)) & inside) != 0;
    }

    /// Whether any number of [low, high] is there; both are inside of the bounds.
    bool contains_any(uint64_t low, uint64_t high) const;

private:
    uint64_t first_;
    uint64_t span_;
    TrackedVector<uint64_t> words_;
};

/// What a hash join's build side says about the rows of its probe side: bounds, the values
/// themselves when they are few, and bits or a bloom filter. Built once by the join, then
/// immutable; `ready` tells. The ColumnFilter functions are for after that.
class RuntimeFilter final : public ColumnFilter {
public:
    static constexpr uint32_t kMaxInValues = 1024;
    /// Past this many build rows the filter costs more than it saves.
    static constexpr uint64_t kMaxBloomKeys = uint64_t{1} << 24;

    explicit RuntimeFilter(DataType type) : type_(type), ready_(std::make_shared<Dependency>()) {}

    /// Takes the build side's key column (any number of rows, NULLs are ignored) and becomes ready.
    void build(const std::vector<ColumnPtr>& key_columns);
    /// Lets everything pass; for joins that end without a build.
    void build_pass_all();

    const DependencyPtr& ready() const { return ready_; }

    const DataType& type() const { return type_; }

    bool passes_nothing() const { return has_content_ && num_keys_ == 0; }

    /// Null when there is none.
    const std::optional<Scalar>& min() const { return min_; }

    const std::optional<Scalar>& max() const { return max_; }

    /// Whether single values can be told apart at all.
    bool can_test() const { return bits_ != nullptr || bloom_ != nullptr; }

    PhysicalType physical() const override { return type_.physical(); }

    bool may_match(const Column& min, const Column& max) const override;
    void test(const Column& values, uint8_t* passes) const override;
    bool select(const Column& values, bool is_all, Selection& selection) const override;

    /// A flat column of the values (repeats are possible), or null when there are too many.
    const ColumnPtr& values() const { return values_; }

    /// Drops the selected rows of `batch` whose `probe` cannot be on the build side.
    void apply(const ColumnPtr& probe, Batch& batch) const;

private:
    /// Rows tested before a verdict on the filter's use.
    static constexpr uint64_t kSampleRows = 64 * 1024;

    bool is_futile() const;
    void count(uint64_t tested, uint64_t passed) const;
    uint32_t select_by_code(const Column& probe, const Batch& batch, uint16_t* selected) const;
    uint32_t select_values(
        const Column& probe, const Selection* rows, uint32_t num_rows, uint16_t* selected
    ) const;

    template <typename T>
    void build_as(const std::vector<ColumnPtr>& key_columns);
    template <typename T>
    void build_set(const std::vector<ColumnPtr>& key_columns, const T& low, const T& high);

    DataType type_;
    DependencyPtr ready_;
    bool has_content_ = false;
    uint64_t num_keys_ = 0;
    std::optional<Scalar> min_;
    std::optional<Scalar> max_;
    ColumnPtr values_;
    std::unique_ptr<RangeBits> bits_;
    std::unique_ptr<BlockedBloom> bloom_;  // Where bits_ do not suit.
    mutable std::atomic<uint64_t> num_tested_{0};
    mutable std::atomic<uint64_t> num_passed_{0};
};

}  // namespace thetis
