// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "exec/sink/row_check.h"
#include "expr/expression.h"
#include "load/partition_router.h"

namespace thetis::wire {
class IndexSink;
class TableSink;
}  // namespace thetis::wire

namespace thetis {

/// A further index that a load writes besides the table's own: the shadow of a schema change. Its
/// rows are expressions over the load's rows; its tablets lie beside the table's, bucket by bucket.
/// Immutable; thread-safe.
class FurtherIndex {
public:
    /// `base`: the table's own tablets as the router numbers them.
    static Result<FurtherIndex> make(
        const wire::IndexSink& sink,
        const wire::TableSink& table,
        const std::vector<RoutedTablet>& base,
        const FunctionRegistries& functions
    );

    /// Parallel to the router's.
    const std::vector<RoutedTablet>& tablets() const { return tablets_; }

    const std::vector<int32_t>& column_unique_ids() const { return column_unique_ids_; }

    /// The index's rows for the selected rows of a batch. Rows whose values the index cannot hold
    /// are told to `reject` and are not selected in the result.
    Result<Batch> convert(const Batch& batch, EvalContext& eval, const RejectRow& reject) const;

private:
    // A value that became NULL cannot be kept by the index.
    void drop_lost_values(const Batch& input, Batch& output, const RejectRow& reject) const;

    std::vector<RoutedTablet> tablets_;
    std::vector<int32_t> column_unique_ids_;
    std::vector<ExpressionPtr> expressions_;
    std::vector<ColumnRule> rules_;
};

}  // namespace thetis
