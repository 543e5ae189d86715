// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "exec/chain.h"
#include "exec/exchange/exchange_sender.h"
#include "exec/filter/runtime_filter.h"
#include "exec/join/join_spec.h"
#include "exec/pipeline/exec_context.h"
#include "exec/sort/sort_state.h"

namespace thetis {

namespace wire {
class Aggregate;
class AssertRows;
class DataTypeDesc;
class ExchangeSink;
class ExchangeSource;
class Expr;
class FragmentInstance;
class FragmentPlan;
class HashJoin;
class LoadProject;
class NestedLoopJoin;
class PlanNode;
class Repeat;
class RuntimeFilterSource;
class SortKey;
class TableFunctionScan;
class TableSink;
class TabletScan;
class Values;
class Window;
}  // namespace wire

struct AggregateSpec;

/// Turns one fragment's plan into pipelines. Registers exchange receivers, compiles expressions,
/// opens nothing and starts nothing. One use per fragment; the context outlives the pipelines. A
/// plan that is malformed or asks for what is not built gives an error that names it.
class FragmentBuilder {
public:
    FragmentBuilder(
        const wire::FragmentPlan& plan, const wire::FragmentInstance& instance, ExecContext& context
    );

    /// Registers the receivers of the fragment's exchange sources. Done for all fragments of a
    /// query before any build(), so that senders of the same back end find them.
    Status register_receivers();

    Result<std::vector<std::unique_ptr<Pipeline>>> build();

private:
    static constexpr int kMaxDepth = 500;

    Status register_receivers(const wire::PlanNode& node, int depth);
    Status collect_runtime_filters(const wire::PlanNode& node, int depth);

    // One function per operator; the node's inputs are built by the function. In fragment_*.cpp by
    // topic.
    Result<Chain> build_node(const wire::PlanNode& node);
    Result<Chain> build_tablet_scan(const wire::PlanNode& node);
    Result<Chain> build_stream_scan(const wire::PlanNode& node);
    Result<Chain> build_values(const wire::PlanNode& node);
    Result<Chain> build_table_function(const wire::PlanNode& node);
    Result<Chain> build_exchange_source(const wire::PlanNode& node);
    Result<Chain> build_filter(const wire::PlanNode& node);
    Result<Chain> build_project(const wire::PlanNode& node);
    Result<Chain> build_load_project(const wire::PlanNode& node);
    Result<Chain> build_hash_join(const wire::PlanNode& node);
    Result<Chain> build_nested_loop_join(const wire::PlanNode& node);
    Result<Chain> build_aggregate(const wire::PlanNode& node);
    Result<Chain> build_sort(const wire::PlanNode& node);
    Result<Chain> build_limit(const wire::PlanNode& node);
    Result<Chain> build_union(const wire::PlanNode& node);
    Result<Chain> build_assert_rows(const wire::PlanNode& node);
    Result<Chain> build_repeat(const wire::PlanNode& node);
    Result<Chain> build_window(const wire::PlanNode& node);

    Status finish_with_sink(Chain chain);
    Status finish_with_exchange(Chain chain);
    Status finish_with_table(Chain chain);

    Result<Chain> join(
        const wire::PlanNode& node,
        std::shared_ptr<JoinSpec> spec,
        const std::vector<wire::RuntimeFilterSource>& filters
    );
    Result<std::shared_ptr<AggregateSpec>> aggregate_spec(const wire::Aggregate& aggregate);
    Result<std::shared_ptr<SortSpec>> sort_spec(
        const std::vector<wire::SortKey>& keys, std::vector<DataType> types
    );
    /// Where the Top-N can tell a scan its bound; empty when its first key is not a scan's column.
    Result<std::optional<TopNBound>> top_n_bound(const wire::PlanNode& node);
    Chain sorted(Chain input, std::shared_ptr<const SortSpec> spec, const char* name, int node_id);

    void append_limit(Chain& chain, int64_t limit, int64_t offset, OperatorProfile* counters);

    /// Joins the tasks of a chain into one, through a local exchange.
    Chain gather_locally(Chain chain, int node_id);
    /// Goes on in `num_tasks` tasks; which gets which batch is left open.
    Chain exchange_locally(Chain chain, int num_tasks, int node_id);

    Result<Chain> build_child(const wire::PlanNode& node, size_t child = 0);
    Result<std::vector<ExpressionPtr>> compile(const std::vector<wire::Expr>& expressions) const;
    static Result<std::vector<DataType>> types_of(const std::vector<wire::DataTypeDesc>& types);
    /// Literal arguments of an aggregate, of the widest type of their kind.
    static Result<std::vector<Scalar>> constants_of(const std::vector<wire::Literal>& literals);
    OperatorProfile* profile(const char* name, const wire::PlanNode& node);
    static Status check_slots(
        const std::vector<ExpressionPtr>& expressions, size_t num_columns, const char* where
    );

    const wire::FragmentPlan& plan_;
    const wire::FragmentInstance& instance_;
    ExecContext& context_;
    int depth_ = 0;
    std::map<int, std::shared_ptr<RuntimeFilter>> runtime_filters_;
    std::map<int, std::shared_ptr<RuntimePredicates>> scan_bounds_;  // By the scan's node.
    std::vector<std::unique_ptr<Pipeline>> done_;
};

}  // namespace thetis
