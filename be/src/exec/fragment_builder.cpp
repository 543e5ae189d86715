// SPDX-License-Identifier: Apache-2.0
#include "exec/fragment_builder.h"

#include "exec/exchange/exchange_receiver.h"
#include "exec/exchange/exchange_sender.h"
#include "exec/exchange/local_exchange.h"
#include "exec/sink/result_sink.h"
#include "exec/sink/sink_columns.h"
#include "exec/sink/table_sink.h"
#include "functions/registries.h"
#include "gen_thrift/plan_types.h"

namespace thetis {

FragmentBuilder::FragmentBuilder(
    const wire::FragmentPlan& plan, const wire::FragmentInstance& instance, ExecContext& context
)
    : plan_(plan), instance_(instance), context_(context) {}

Status FragmentBuilder::register_receivers() {
    return register_receivers(plan_.root, 0);
}

Status FragmentBuilder::register_receivers(const wire::PlanNode& node, int depth) {
    if (depth > kMaxDepth) {
        return Status::error(
            ErrorCode::kInvalidArgument, "a plan deeper than {} operators", kMaxDepth
        );
    }
    if (node.op.__isset.exchange_source) {
        const auto& exchange = node.op.exchange_source;
        auto senders = instance_.num_senders.find(exchange.exchange_id);
        if (senders == instance_.num_senders.end() || senders->second <= 0) {
            return Status::error(
                ErrorCode::kInvalidArgument,
                "no number of senders for exchange {}",
                exchange.exchange_id
            );
        }
        bool merging = exchange.__isset.merge_keys && !exchange.merge_keys.empty();
        context_.exchanges->add(
            plan_.id,
            exchange.exchange_id,
            std::make_shared<ExchangeReceiver>(
                senders->second, merging, context_.services.exchange_buffer_bytes, context_.memory
            )
        );
    }
    for (const auto& child : node.children) {
        RETURN_IF_ERROR(register_receivers(child, depth + 1));
    }
    return {};
}

Status FragmentBuilder::collect_runtime_filters(const wire::PlanNode& node, int depth) {
    if (depth > kMaxDepth) {
        return Status::error(
            ErrorCode::kInvalidArgument, "a plan deeper than {} operators", kMaxDepth
        );
    }
    if (node.op.__isset.hash_join) {
        const auto& join = node.op.hash_join;
        for (const auto& source : join.runtime_filters) {
            if (source.key_index < 0 ||
                static_cast<size_t>(source.key_index) >= join.build_keys.size()) {
                return Status::error(
                    ErrorCode::kInvalidArgument,
                    "runtime filter {} names key {} of a join",
                    source.filter_id,
                    source.key_index
                );
            }
            ASSIGN_OR_RETURN(
                DataType type,
                from_wire(join.build_keys[static_cast<size_t>(source.key_index)].type)
            );
            runtime_filters_[source.filter_id] = std::make_shared<RuntimeFilter>(type);
        }
    }
    for (const auto& child : node.children) {
        RETURN_IF_ERROR(collect_runtime_filters(child, depth + 1));
    }
    return {};
}

Result<std::vector<std::unique_ptr<Pipeline>>> FragmentBuilder::build() {
    RETURN_IF_ERROR(collect_runtime_filters(plan_.root, 0));
    ASSIGN_OR_RETURN(Chain chain, build_node(plan_.root));
    RETURN_IF_ERROR(finish_with_sink(std::move(chain)));
    return std::move(done_);
}

Result<Chain> FragmentBuilder::build_node(const wire::PlanNode& node) {
    const auto& is = node.op.__isset;
    if (is.tablet_scan) {
        return build_tablet_scan(node);
    }
    if (is.stream_scan) {
        return build_stream_scan(node);
    }
    if (is.load_project) {
        return build_load_project(node);
    }
    if (is.values || is.empty_set) {
        return build_values(node);
    }
    if (is.filter) {
        return build_filter(node);
    }
    if (is.project) {
        return build_project(node);
    }
    if (is.hash_join) {
        return build_hash_join(node);
    }
    if (is.nested_loop_join) {
        return build_nested_loop_join(node);
    }
    if (is.aggregate) {
        return build_aggregate(node);
    }
    if (is.sort || is.top_n) {
        return build_sort(node);
    }
    if (is.limit) {
        return build_limit(node);
    }
    if (is.union_all) {
        return build_union(node);
    }
    if (is.exchange_source) {
        return build_exchange_source(node);
    }
    if (is.assert_rows) {
        return build_assert_rows(node);
    }
    if (is.repeat) {
        return build_repeat(node);
    }
    if (is.window) {
        return build_window(node);
    }
    if (is.table_function_scan) {
        return build_table_function(node);
    }
    return Status::error(
        ErrorCode::kNotSupported,
        "plan node {} has an operator this back end does not know",
        node.id
    );
}

Result<Chain> FragmentBuilder::build_child(const wire::PlanNode& node, size_t child) {
    if (child >= node.children.size()) {
        return Status::error(
            ErrorCode::kInvalidArgument, "plan node {} lacks input {}", node.id, child
        );
    }
    return build_node(node.children[child]);
}

Result<std::vector<ExpressionPtr>> FragmentBuilder::compile(
    const std::vector<wire::Expr>& expressions
) const {
    return compile_all(expressions, *context_.services.functions);
}

Result<std::vector<Scalar>> FragmentBuilder::constants_of(const std::vector<wire::Literal>& literals
) {
    std::vector<Scalar> constants;
    constants.reserve(literals.size());
    for (const auto& literal : literals) {
        // Untyped on the wire: the field that is set tells.
        DataType type = literal.__isset.bytes_value    ? DataType::varchar()
                        : literal.__isset.double_value ? DataType::of(TypeId::kDouble)
                        : literal.__isset.int128_value ? DataType::of(TypeId::kLargeint)
                                                       : DataType::of(TypeId::kBigint);
        ASSIGN_OR_RETURN(Scalar value, from_wire(literal, type));
        constants.push_back(std::move(value));
    }
    return constants;
}

Result<std::vector<DataType>> FragmentBuilder::types_of(const std::vector<wire::DataTypeDesc>& types
) {
    std::vector<DataType> result;
    for (const auto& type : types) {
        ASSIGN_OR_RETURN(DataType parsed, from_wire(type));
        result.push_back(parsed);
    }
    return result;
}

OperatorProfile* FragmentBuilder::profile(const char* name, const wire::PlanNode& node) {
    return &context_.profile.add(name, node.id);
}

Status FragmentBuilder::check_slots(
    const std::vector<ExpressionPtr>& expressions, size_t num_columns, const char* where
) {
    for (int slot : referenced_slots(expressions)) {
        if (slot < 0 || static_cast<size_t>(slot) >= num_columns) {
            return Status::error(
                ErrorCode::kInvalidArgument, "{} reads column {} of {}", where, slot, num_columns
            );
        }
    }
    return {};
}

Chain FragmentBuilder::gather_locally(Chain chain, int node_id) {
    return chain.num_tasks() == 1 ? std::move(chain)
                                  : exchange_locally(std::move(chain), 1, node_id);
}

Chain FragmentBuilder::exchange_locally(Chain chain, int num_tasks, int node_id) {
    int num_producers = chain.num_tasks();
    auto exchange = std::make_shared<LocalExchange>(
        num_producers, num_tasks, static_cast<size_t>(4 * std::max(num_producers, num_tasks))
    );
    std::vector<DataType> types = chain.types();
    chain.finish(
        {[exchange](int) -> std::unique_ptr<Sink> {
             return std::make_unique<LocalExchangeSink>(exchange);
         },
         nullptr},
        done_
    );
    auto* counters = &context_.profile.add("local_exchange", node_id);
    return Chain::from_source(
        {[exchange](int) -> std::unique_ptr<Source> {
             return std::make_unique<LocalExchangeSource>(exchange);
         },
         counters},
        num_tasks,
        std::move(types)
    );
}

Status FragmentBuilder::finish_with_sink(Chain chain) {
    if (plan_.sink.__isset.result) {
        bool binary = plan_.sink.result.binary_rows;
        auto results = context_.results;
        chain.finish(
            {[results, binary](int) -> std::unique_ptr<Sink> {
                 return std::make_unique<ResultSink>(results, binary);
             },
             &context_.profile.add("result_sink", -1)},
            done_
        );
        return {};
    }
    if (plan_.sink.__isset.exchange) {
        return finish_with_exchange(std::move(chain));
    }
    if (plan_.sink.__isset.table) {
        return finish_with_table(std::move(chain));
    }
    return Status::error(
        ErrorCode::kNotSupported, "fragment {} has a sink this back end does not know", plan_.id
    );
}

Status FragmentBuilder::finish_with_exchange(Chain chain) {
    const auto& sink = plan_.sink.exchange;
    ExchangeSpec spec;
    switch (sink.kind) {
        case wire::ExchangeKind::GATHER:
            spec.mode = ExchangeMode::kGather;
            break;
        case wire::ExchangeKind::BROADCAST:
            spec.mode = ExchangeMode::kBroadcast;
            break;
        case wire::ExchangeKind::HASH:
            spec.mode = ExchangeMode::kHash;
            break;
        case wire::ExchangeKind::BUCKET:
            spec.mode = ExchangeMode::kBucket;
            break;
        case wire::ExchangeKind::ROUND_ROBIN:
            spec.mode = ExchangeMode::kRoundRobin;
            break;
        default:
            return Status::error(
                ErrorCode::kNotSupported, "exchange {} of an unknown kind", sink.exchange_id
            );
    }
    if (sink.destinations.empty()) {
        return Status::error(
            ErrorCode::kInvalidArgument, "exchange {} has no destination", sink.exchange_id
        );
    }
    ASSIGN_OR_RETURN(spec.keys, compile(sink.keys));
    RETURN_IF_ERROR(check_slots(spec.keys, chain.types().size(), "an exchange key"));
    spec.destination_fragment = sink.destination_fragment;
    spec.exchange_id = sink.exchange_id;
    spec.sender_id = instance_.sender_id;
    spec.bucket_owner = sink.bucket_owner;
    for (int32_t owner : spec.bucket_owner) {
        if (owner < 0 || static_cast<size_t>(owner) >= sink.destinations.size()) {
            return Status::error(
                ErrorCode::kInvalidArgument,
                "exchange {} gives a bucket to destination {}",
                sink.exchange_id,
                owner
            );
        }
    }
    if (spec.mode == ExchangeMode::kBucket && spec.bucket_owner.empty()) {
        return Status::error(
            ErrorCode::kInvalidArgument,
            "exchange {} by bucket without bucket owners",
            sink.exchange_id
        );
    }
    for (const auto& destination : sink.destinations) {
        const auto& backend = destination.backend;
        spec.destinations.push_back(
            {backend.id, backend.host, backend.brpc_port, context_.query_id, context_.deadline_ms}
        );
    }

    // The sender opens its streams when the first task runs: a prepared fragment uses no network.
    struct Shared {
        std::mutex mutex;  // Guards sender.
        std::shared_ptr<ExchangeSender> sender;
    };

    auto shared = std::make_shared<Shared>();
    auto* context = &context_;
    int num_tasks = chain.num_tasks();
    chain.finish(
        {[shared, spec, context, num_tasks](int) -> std::unique_ptr<Sink> {
             std::lock_guard lock(shared->mutex);
             if (shared->sender == nullptr) {
                 shared->sender = std::make_shared<ExchangeSender>(spec, *context, num_tasks);
                 context->on_cancel([weak = std::weak_ptr(shared->sender)](const Status& reason) {
                     if (auto sender = weak.lock()) {
                         sender->fail(reason);
                     }
                 });
             }
             return std::make_unique<ExchangeSink>(shared->sender, context->eval);
         },
         &context_.profile.add("exchange_sink", -1)},
        done_
    );
    return {};
}

Status FragmentBuilder::finish_with_table(Chain chain) {
    if (context_.services.table_writers == nullptr) {
        return Status(ErrorCode::kNotSupported, "this back end writes no tables");
    }
    const auto& sink = plan_.sink.table;
    ASSIGN_OR_RETURN(auto columns, sink_columns(sink));
    std::vector<ColumnRule> rules = rules_of(columns);
    ASSIGN_OR_RETURN(
        auto unconverted, unconverted_columns(sink, columns.size(), chain.types().size())
    );
    auto* context = &context_;
    auto wire_sink = std::make_shared<const wire::TableSink>(sink);
    auto state = std::make_shared<TableSinkState>(
        [context, wire_sink] {
            return context->services.table_writers->open(*wire_sink, *context);
        },
        std::move(rules),
        std::move(unconverted),
        sink.strict_mode,
        chain.num_tasks(),
        context_
    );
    context_.on_cancel([weak = std::weak_ptr(state)](const Status& reason) {
        if (auto alive = weak.lock()) {
            alive->cancel(reason);
        }
    });
    chain.finish(
        {[state](int) -> std::unique_ptr<Sink> {
             return std::make_unique<TableSinkOperator>(state);
         },
         &context_.profile.add("table_sink", -1)},
        done_
    );
    return {};
}

}  // namespace thetis
