// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "exec/hash/key_rows.h"
#include "expr/expression.h"

namespace thetis {

/// Which rows a join gives. Left is the probe side, right the build side.
enum class JoinType : uint8_t {
    kInner,
    kLeftOuter,
    kRightOuter,
    kFullOuter,
    kLeftSemi,
    kLeftAnti,
    kRightSemi,
    kRightAnti,
    kNullAwareLeftAnti,
};

/// What a join computes; immutable, shared by its tasks. Without keys it is a nested loop (a cross
/// join without conjuncts).
struct JoinSpec {
    JoinType type = JoinType::kInner;
    std::vector<ExpressionPtr> probe_keys;
    std::vector<ExpressionPtr> build_keys;
    std::vector<bool> null_safe;            ///< Per key: NULL equals NULL.
    std::unique_ptr<KeyLayout> key_layout;  ///< Null without keys.
    std::vector<ExpressionPtr> conjuncts;   ///< Over left ++ right, besides the keys.
    std::vector<int> conjunct_slots;        ///< What the conjuncts read.
    std::vector<DataType> left_types;
    std::vector<DataType> right_types;
    std::vector<int> output_positions;  ///< Over left ++ right.

    bool has_keys() const { return key_layout != nullptr; }

    bool needs_build_marks() const {
        return type == JoinType::kRightOuter || type == JoinType::kFullOuter ||
               type == JoinType::kRightSemi || type == JoinType::kRightAnti;
    }

    bool gives_pairs() const {
        return type == JoinType::kInner || type == JoinType::kLeftOuter ||
               type == JoinType::kRightOuter || type == JoinType::kFullOuter;
    }

    bool gives_left_only() const {
        return type == JoinType::kLeftSemi || type == JoinType::kLeftAnti ||
               type == JoinType::kNullAwareLeftAnti;
    }
};

}  // namespace thetis
