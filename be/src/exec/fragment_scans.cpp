// SPDX-License-Identifier: Apache-2.0
#include <charconv>

#include "exec/exchange/exchange_source.h"
#include "exec/fragment_builder.h"
#include "exec/scan/pushdown.h"
#include "exec/scan/row_sources.h"
#include "exec/scan/scan_features.h"
#include "exec/scan/tablet_scan.h"
#include "exec/scan/value_columns.h"
#include "exec/scan/wire_schema.h"
#include "functions/registries.h"
#include "gen_thrift/plan_types.h"

namespace thetis {

Result<Chain> FragmentBuilder::build_tablet_scan(const wire::PlanNode& node) {
    const auto& scan = node.op.tablet_scan;
    if (context_.services.scans == nullptr) {
        return Status(ErrorCode::kNotSupported, "this back end has no tablets");
    }
    TabletScanSpec spec;
    spec.count_only = scan.__isset.count_only && scan.count_only && scan.conjuncts.empty() &&
                      scan.runtime_filters.empty();
    auto ranges = instance_.scan_ranges.find(node.id);
    if (ranges != instance_.scan_ranges.end()) {
        for (const auto& range : ranges->second) {
            spec.ranges.push_back({range.tablet_id, range.version});
        }
    }
    ASSIGN_OR_RETURN(spec.options.schema, schema_from_wire(scan.schema));
    spec.options.column_unique_ids = scan.column_unique_ids;
    RETURN_IF_ERROR(disable_features(context_.disabled_scan_features, spec.options));
    spec.options.skip_merge = scan.skip_merge;
    spec.options.skip_delete_bitmap = scan.skip_delete_bitmap;
    spec.options.skip_delete_predicate = scan.skip_delete_predicate;
    ASSIGN_OR_RETURN(auto types, types_of(node.output_types));
    if (types.size() != spec.options.column_unique_ids.size()) {
        return Status::error(
            ErrorCode::kInvalidArgument,
            "scan {} names {} columns and {} types",
            node.id,
            scan.column_unique_ids.size(),
            types.size()
        );
    }
    ASSIGN_OR_RETURN(spec.conjuncts, compile(scan.conjuncts));
    RETURN_IF_ERROR(check_slots(spec.conjuncts, types.size(), "a scan's condition"));
    push_down(spec.conjuncts, spec.options);
    if (auto bound = scan_bounds_.find(node.id); bound != scan_bounds_.end()) {
        spec.options.runtime_predicates = bound->second;
    }
    std::vector<DependencyPtr> filters_ready;
    for (const auto& target : scan.runtime_filters) {
        auto filter = runtime_filters_.find(target.filter_id);
        if (filter == runtime_filters_.end()) {
            continue;  // Built by another fragment: optional, and not sent.
        }
        ASSIGN_OR_RETURN(auto probe, thetis::compile(target.probe, *context_.services.functions));
        RETURN_IF_ERROR(check_slots({probe}, types.size(), "a runtime filter"));
        if (probe->type().physical() != filter->second->type().physical()) {
            continue;
        }
        spec.runtime_filters.push_back({filter->second, std::move(probe)});
        filters_ready.push_back(filter->second->ready());
    }
    OperatorProfile* scan_profile = profile("tablet_scan", node);
    auto state = std::make_shared<TabletScanState>(std::move(spec), context_, *scan_profile);
    Chain chain = Chain::from_source(
        {[state](int) -> std::unique_ptr<Source> {
             return std::make_unique<TabletScanSource>(state);
         },
         scan_profile},
        context_.num_tasks,
        std::move(types)
    );
    for (const auto& ready : filters_ready) {
        chain.start_after(ready);
    }
    return chain;
}

Result<Chain> FragmentBuilder::build_stream_scan(const wire::PlanNode& node) {
    if (context_.rows == nullptr) {
        return Status(ErrorCode::kInvalidArgument, "a plan reads a load body, but none was given");
    }
    ASSIGN_OR_RETURN(auto types, types_of(node.output_types));
    types.push_back(DataType::of(TypeId::kBigint, false));
    types.push_back(DataType::varchar());
    auto rows = context_.rows;
    context_.on_cancel([rows](const Status&) { rows->close(); });
    return Chain::from_source(
        {[rows](int) -> std::unique_ptr<Source> {
             return std::make_unique<StreamScanSource>(rows);
         },
         profile("stream_scan", node)},
        1,
        std::move(types)
    );
}

Result<Chain> FragmentBuilder::build_values(const wire::PlanNode& node) {
    ASSIGN_OR_RETURN(auto types, types_of(node.output_types));
    std::vector<Batch> batches;
    if (node.op.__isset.values) {
        ASSIGN_OR_RETURN(
            batches,
            batches_of_values(node.op.values, types, *context_.services.functions, context_.eval)
        );
    }
    auto shared = std::make_shared<const std::vector<Batch>>(std::move(batches));
    return Chain::from_source(
        {[shared](int) -> std::unique_ptr<Source> {
             return std::make_unique<ValuesSource>(*shared);
         },
         profile(node.op.__isset.values ? "values" : "empty_set", node)},
        1,
        std::move(types)
    );
}

Result<Chain> FragmentBuilder::build_table_function(const wire::PlanNode& node) {
    const auto& function = node.op.table_function_scan;
    if (function.name != "numbers") {
        return Status::error(ErrorCode::kNotSupported, "table function {}", function.name);
    }
    int64_t count = 0;
    auto number = function.properties.find("number");
    if (number == function.properties.end()) {
        return Status(ErrorCode::kInvalidArgument, "numbers() needs the property 'number'");
    }
    const std::string& text = number->second;
    auto parsed = std::from_chars(text.data(), text.data() + text.size(), count);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || count < 0) {
        return Status::error(
            ErrorCode::kInvalidArgument, "numbers(): '{}' is not a row count", text
        );
    }
    auto next = std::make_shared<std::atomic<int64_t>>(0);
    uint32_t batch_size = context_.batch_size;
    return Chain::from_source(
        {[count, batch_size, next](int) -> std::unique_ptr<Source> {
             return std::make_unique<NumbersSource>(count, batch_size, next);
         },
         profile("numbers", node)},
        count > 100'000 ? context_.num_tasks : 1,
        {DataType::of(TypeId::kBigint, false)}
    );
}

Result<Chain> FragmentBuilder::build_exchange_source(const wire::PlanNode& node) {
    const auto& exchange = node.op.exchange_source;
    auto receiver = context_.exchanges->find(plan_.id, exchange.exchange_id);
    if (receiver == nullptr) {
        return Status::error(
            ErrorCode::kInternal, "exchange {} has no receiver", exchange.exchange_id
        );
    }
    ASSIGN_OR_RETURN(auto types, types_of(node.output_types));
    auto* counters = profile("exchange_source", node);
    if (exchange.__isset.merge_keys && !exchange.merge_keys.empty()) {
        ASSIGN_OR_RETURN(auto spec, sort_spec(exchange.merge_keys, types));
        spec->limit = exchange.__isset.limit ? exchange.limit : -1;
        spec->offset = exchange.__isset.offset ? exchange.offset : 0;
        auto shared = std::make_shared<SharedReceiver>(std::move(receiver), 1);
        auto* context = &context_;
        return Chain::from_source(
            {[shared, spec, context](int) -> std::unique_ptr<Source> {
                 return std::make_unique<MergingExchangeSource>(
                     shared, spec, context->eval, context->batch_size
                 );
             },
             counters},
            1,
            std::move(types)
        );
    }
    bool bounded = (exchange.__isset.limit && exchange.limit >= 0) ||
                   (exchange.__isset.offset && exchange.offset > 0);
    auto shared = std::make_shared<SharedReceiver>(std::move(receiver), context_.num_tasks);
    Chain chain = Chain::from_source(
        {[shared](int) -> std::unique_ptr<Source> {
             return std::make_unique<ExchangeSource>(shared);
         },
         counters},
        context_.num_tasks,
        std::move(types)
    );
    if (bounded) {
        append_limit(
            chain,
            exchange.__isset.limit ? exchange.limit : -1,
            exchange.__isset.offset ? exchange.offset : 0,
            nullptr
        );
    }
    return chain;
}

}  // namespace thetis
