// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "exec/join/join_build.h"
#include "exec/pipeline/operator.h"

namespace thetis {

/// Probes a join's table with each batch of the left side. Pairs are made in portions of a batch;
/// semi and anti joins without further conjuncts only narrow the selection. The last task to finish
/// gives out the build rows an outer, semi or anti join of the right side owes.
class JoinProbeOperator final : public Transform {
public:
    JoinProbeOperator(std::shared_ptr<JoinBuildState> build, EvalContext eval, uint32_t batch_size);

    Status accept(Batch batch) override;
    Status finish_input() override;
    Result<Poll> next(Batch& batch) override;
    void close() override;

private:
    /// Where pairs come from, in this order.
    enum class Stage : uint8_t {
        kIdle,
        kHashPairs,       ///< Equal keys.
        kNullBuildRows,   ///< Null-aware: every left row with every build row whose key is NULL.
        kNullProbeRows,   ///< Null-aware: left rows whose key is NULL with every build row.
        kAllPairs,        ///< No keys.
        kLeftRemainder,   ///< Left rows without partner, or the selection of a semi or anti join.
        kReady,           ///< held_ is the output.
        kBuildRemainder,  ///< Input ended: what the build side owes.
    };

    Status compute_keys();
    void apply_any_match();
    uint32_t make_pairs();
    uint32_t make_nested_pairs(
        uint32_t num_left, const uint32_t* left, uint32_t num_build, const uint32_t* build
    );
    Result<uint32_t> filter_pairs(uint32_t count);
    void mark_pairs(uint32_t count);
    Batch output_pairs(uint32_t count) const;
    bool emit_left_remainder(Batch& batch);
    bool emit_build_remainder(Batch& batch);
    bool emit_single_build_row(Batch& batch);
    void next_stage();

    const std::shared_ptr<JoinBuildState> build_;
    const JoinSpec& spec_;
    EvalContext eval_;
    const uint32_t batch_size_;

    Stage stage_ = Stage::kIdle;
    Batch input_;
    Batch held_;
    std::unique_ptr<KeyRows> key_rows_;
    JoinTable::Candidates candidates_;
    JoinCursor cursor_;
    uint32_t nested_left_ = 0;
    uint32_t nested_build_ = 0;
    std::vector<uint64_t> usable_;  // Bit per selected row: no NULL in a key that needs a value.
    bool has_unusable_ = false;
    std::vector<uint32_t> null_probe_;  // Selected rows (by number) with a NULL key.
    std::vector<uint8_t> left_matched_;
    std::vector<uint32_t>
        pair_left_;  // Numbers of selected rows; positions in the batch after filter_pairs.
    std::vector<uint32_t> pair_build_;
    bool input_finished_ = false;
    uint32_t remainder_row_ = 0;
};

}  // namespace thetis
