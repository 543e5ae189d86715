// SPDX-License-Identifier: Apache-2.0
#include "exec/pipeline/exec_context.h"
#include "exec/scan/row_source.h"
#include "exec/scan/wire_schema.h"
#include "exec/sink/sink_columns.h"
#include "load/load_channels.h"
#include "load/routed_table_writer.h"
#include "plan_types.h"
#include "storage/schema_codec.h"
#include "wire/data_plane_client.h"
#include "wire/thrift_codec.h"

namespace thetis {

namespace {

Result<std::vector<NewValue>> new_values(
    const std::map<int32_t, wire::Expr>& expressions,
    const TabletSchema& schema,
    const FunctionRegistries& functions,
    EvalContext& eval
) {
    std::vector<NewValue> values;
    for (const auto& [unique_id, wire_expression] : expressions) {
        const auto position = schema.find_column(unique_id);
        ASSIGN_OR_RETURN(const ExpressionPtr expression, compile(wire_expression, functions));
        if (!position.has_value() || !expression->slots().empty() ||
            expression->type().physical() != schema.columns()[*position].type.physical()) {
            return Status::error(
                ErrorCode::kInvalidArgument,
                "what new rows have in column {} is no constant of a column's type",
                unique_id
            );
        }
        ASSIGN_OR_RETURN(const Scalar value, evaluate_constant(*expression, eval));
        values.push_back(
            {.column_unique_id = unique_id,
             .bytes = value.is_null() ? std::nullopt
                                      : std::optional(value_to_bytes(*value.to_column(), 0))}
        );
    }
    return values;
}

Result<std::vector<LoadIndex>> load_indexes(
    const wire::TableSink& sink,
    const std::vector<SinkColumn>& columns,
    const RoutedWriterOptions& options,
    const FunctionRegistries& functions,
    EvalContext& eval
) {
    std::vector<LoadIndex> indexes(1);
    LoadIndex& base = indexes.front();
    ASSIGN_OR_RETURN(base.schema, schema_from_wire(sink.schema));
    for (const SinkColumn& column : columns) {
        base.column_unique_ids.push_back(column.unique_id);
    }
    base.partial_update = sink.partial_update;
    base.partial_update_existing_only = sink.partial_update_existing_only;
    ASSIGN_OR_RETURN(base.new_values, new_values(sink.new_values, *base.schema, functions, eval));
    for (size_t i = 0; i < sink.further_indexes.size(); ++i) {
        LoadIndex index;
        ASSIGN_OR_RETURN(index.schema, schema_from_wire(sink.further_indexes[i].schema));
        index.column_unique_ids = options.further_indexes[i].column_unique_ids();
        index.partial_update = sink.further_indexes[i].partial_update;
        index.partial_update_existing_only = sink.further_indexes[i].partial_update_existing_only;
        ASSIGN_OR_RETURN(
            index.new_values,
            new_values(sink.further_indexes[i].new_values, *index.schema, functions, eval)
        );
        indexes.push_back(std::move(index));
    }
    return indexes;
}

Result<std::vector<std::string>> encoded_schemas(const wire::TableSink& sink) {
    std::vector<std::string> schemas;
    ASSIGN_OR_RETURN(auto base, encode_compact(sink.schema));
    schemas.push_back(std::move(base));
    for (const auto& further : sink.further_indexes) {
        ASSIGN_OR_RETURN(auto schema, encode_compact(further.schema));
        schemas.push_back(std::move(schema));
    }
    return schemas;
}

}  // namespace

Result<std::shared_ptr<TableWriter>> RoutedTableWriterFactory::open(
    const wire::TableSink& sink, ExecContext& context
) {
    ASSIGN_OR_RETURN(auto columns, sink_columns(sink));
    std::vector<DataType> column_types;
    for (const SinkColumn& column : columns) {
        column_types.push_back(column.rule.type);
    }
    std::optional<uint32_t> fixed_turn;
    if (sink.load_to_single_tablet) {
        fixed_turn = static_cast<uint32_t>(sink.txn_id);  // Loads after each other take turns.
    }
    ASSIGN_OR_RETURN(auto router, PartitionRouter::make(sink.partitions, column_types, fixed_turn));
    RoutedWriterOptions options;
    options.fail_without_partition = context.row_errors == nullptr && sink.strict_mode;
    options.eval = context.eval;
    options.in_flight = channels_.in_flight();
    for (const auto& further : sink.further_indexes) {
        ASSIGN_OR_RETURN(
            auto index,
            FurtherIndex::make(further, sink, router->tablets(), *context.services.functions)
        );
        options.further_indexes.push_back(std::move(index));
    }
    int64_t timeout_ms = std::max<int64_t>(1, sink.timeout_ms);
    LoadChannelOptions channel_options;
    channel_options.load_id = {sink.load_id.high, sink.load_id.low};
    channel_options.txn_id = sink.txn_id;
    channel_options.deadline =
        std::chrono::steady_clock::now() + std::chrono::milliseconds(timeout_ms);
    channel_options.num_senders = std::max(1, sink.num_senders);
    ASSIGN_OR_RETURN(
        channel_options.indexes,
        load_indexes(sink, columns, options, *context.services.functions, options.eval)
    );
    int sender_id = static_cast<int>(context.backend_id);

    std::set<int64_t> wanted;
    for (const auto& tablet : router->tablets()) {
        wanted.insert(tablet.backend_ids.begin(), tablet.backend_ids.end());
    }
    for (const FurtherIndex& index : options.further_indexes) {
        for (const auto& tablet : index.tablets()) {
            wanted.insert(tablet.backend_ids.begin(), tablet.backend_ids.end());
        }
    }
    std::vector<std::string> schemas;  // Made for the first remote back end.
    RoutedTableWriter::Backends backends;
    for (const auto& backend : sink.backends) {
        if (!wanted.contains(backend.id)) {
            continue;
        }
        if (backend.id == context.backend_id) {
            ASSIGN_OR_RETURN(auto channel, channels_.open(channel_options));
            backends[backend.id] = make_local_writer(std::move(channel), sender_id);
        } else if (data_plane_ == nullptr) {
            return Status::error(
                ErrorCode::kNotSupported, "writing to back end {} needs the data plane", backend.id
            );
        } else {
            if (schemas.empty()) {
                ASSIGN_OR_RETURN(schemas, encoded_schemas(sink));
            }
            RemoteWriterTarget target{
                backend.host,
                backend.brpc_port,
                sink.schema.table_id,
                sender_id,
                timeout_ms,
                schemas
            };
            backends[backend.id] = make_remote_writer(*data_plane_, target, channel_options);
        }
    }
    auto writer = std::make_shared<RoutedTableWriter>(
        std::move(options), std::move(router), std::move(backends), context.row_errors
    );
    // The query's cancel must reach the other back ends even when no task runs.
    context.on_cancel([weak = std::weak_ptr<RoutedTableWriter>(writer)](const Status& reason) {
        if (auto live = weak.lock()) {
            live->cancel(reason);
        }
    });
    return std::shared_ptr<TableWriter>(std::move(writer));
}

}  // namespace thetis
