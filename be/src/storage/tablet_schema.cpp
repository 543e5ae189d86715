// SPDX-License-Identifier: Apache-2.0
#include "storage/tablet_schema.h"

#include <unordered_set>

#include "base/hash.h"
#include "storage.pb.h"
#include "storage/schema_codec.h"

namespace thetis {

namespace {

bool has_physical_form(TypeId id) {
    return id != TypeId::kNull && id != TypeId::kArray && id != TypeId::kMap &&
           id != TypeId::kStruct && id <= TypeId::kIpv6;
}

/// Every hidden column that is named must be among the columns.
Status check_hidden_columns(
    const TabletSchemaDefinition& definition, const std::unordered_set<int32_t>& ids
) {
    for (const auto& hidden :
         {definition.delete_sign_id,
          definition.sequence_id,
          definition.version_id,
          definition.row_store_id}) {
        if (hidden.has_value() && !ids.contains(*hidden)) {
            return Status::error(
                ErrorCode::kInvalidArgument,
                "Table {} has no column with the unique id {} of a hidden column",
                definition.table_id,
                *hidden
            );
        }
    }
    return {};
}

/// Keys of merge-on-write tables end with the sequence, which therefore has one width.
Status check_sequence(const TabletSchemaDefinition& definition) {
    for (const SchemaColumn& column : definition.columns) {
        if (column.unique_id == definition.sequence_id && column.type.is_string()) {
            return Status::error(
                ErrorCode::kInvalidArgument,
                "Table {} cannot have a sequence of type {}",
                definition.table_id,
                column.type.to_string()
            );
        }
    }
    return {};
}

Status check(const TabletSchemaDefinition& definition) {
    if (definition.columns.empty()) {
        return Status::error(
            ErrorCode::kInvalidArgument,
            "A tablet of table {} needs at least one column",
            definition.table_id
        );
    }
    std::unordered_set<int32_t> ids;
    bool values_began = false;
    for (const SchemaColumn& column : definition.columns) {
        if (!ids.insert(column.unique_id).second) {
            return Status::error(
                ErrorCode::kInvalidArgument,
                "Two columns have the unique id {}: {}",
                column.unique_id,
                column.name
            );
        }
        if (!has_physical_form(column.type.id)) {
            return Status::error(
                ErrorCode::kNotSupported,
                "Columns of type {} are not supported: {}",
                column.type.to_string(),
                column.name
            );
        }
        if (column.is_key && values_began) {
            return Status::error(
                ErrorCode::kInvalidArgument, "Key column {} comes after a value column", column.name
            );
        }
        if (column.default_value != nullptr &&
            (column.default_value->size() != 1 ||
             column.default_value->physical() != column.type.physical())) {
            return Status::error(
                ErrorCode::kInvalidArgument,
                "The default of column {} does not have its type",
                column.name
            );
        }
        values_began = values_began || !column.is_key;
    }
    RETURN_IF_ERROR(check_sequence(definition));
    return check_hidden_columns(definition, ids);
}

}  // namespace

void type_to_protobuf(const DataType& type, pb::ColumnType& message) {
    message.set_id(static_cast<uint32_t>(type.id));
    message.set_nullable(type.nullable);
    message.set_precision(type.precision);
    message.set_scale(type.scale);
    message.set_length(type.length);
}

Result<DataType> type_from_protobuf(const pb::ColumnType& message) {
    if (message.id() > static_cast<uint32_t>(TypeId::kIpv6) ||
        !has_physical_form(static_cast<TypeId>(message.id())) || message.precision() > 38 ||
        message.scale() > 38) {
        return Status::error(
            ErrorCode::kCorruption,
            "Unknown column type {} ({}, {})",
            message.id(),
            message.precision(),
            message.scale()
        );
    }
    return DataType{
        .id = static_cast<TypeId>(message.id()),
        .nullable = message.nullable(),
        .precision = static_cast<uint8_t>(message.precision()),
        .scale = static_cast<uint8_t>(message.scale()),
        .length = message.length()
    };
}

std::string value_to_bytes(const Column& column, uint32_t row) {
    if (column.physical() == PhysicalType::kString) {
        return std::string(column.values<StringRef>()[row].view());
    }
    const int width = physical_size(column.physical());
    return {
        reinterpret_cast<const char*>(column.values<uint8_t>()) + static_cast<size_t>(row) * width,
        static_cast<size_t>(width)
    };
}

Result<ColumnPtr> value_from_bytes(const DataType& type, std::string_view bytes) {
    const PhysicalType physical = type.physical();
    if (physical == PhysicalType::kString) {
        BufferPtr payload = Buffer::copy_of(bytes.data(), bytes.size());
        const StringRef value(
            reinterpret_cast<const char*>(payload->data()), static_cast<uint32_t>(bytes.size())
        );
        return Column::flat(
            type, 1, Buffer::copy_of(&value, sizeof(value)), nullptr, {std::move(payload)}
        );
    }
    if (bytes.size() != static_cast<size_t>(physical_size(physical))) {
        return Status::error(
            ErrorCode::kCorruption,
            "A value of type {} has {} bytes",
            type.to_string(),
            bytes.size()
        );
    }
    return Column::flat(type, 1, Buffer::copy_of(bytes.data(), bytes.size()));
}

TabletSchema::TabletSchema(TabletSchemaDefinition definition) : definition_(std::move(definition)) {
    for (size_t i = 0; i < definition_.columns.size(); ++i) {
        position_by_id_.emplace(definition_.columns[i].unique_id, i);
        num_key_columns_ += definition_.columns[i].is_key ? 1 : 0;
    }
    if (definition_.num_short_key_columns < 0 ||
        static_cast<size_t>(definition_.num_short_key_columns) > num_key_columns_) {
        definition_.num_short_key_columns = static_cast<int32_t>(num_key_columns_);
    }
    pb::TabletSchema message;
    to_protobuf(message);
    const std::string bytes = message.SerializeAsString();
    schema_hash_ = crc32c(0, bytes.data(), bytes.size());
}

Result<TabletSchemaPtr> TabletSchema::create(TabletSchemaDefinition definition) {
    RETURN_IF_ERROR(check(definition));
    return TabletSchemaPtr(std::make_shared<TabletSchema>(std::move(definition)));
}

Result<TabletSchemaPtr> TabletSchema::from_protobuf(const pb::TabletSchema& message) {
    TabletSchemaDefinition definition;
    definition.table_id = message.table_id();
    definition.index_id = message.index_id();
    definition.schema_version = message.schema_version();
    if (message.keys_model() > static_cast<uint32_t>(KeysModel::kUnique) ||
        message.compression() > static_cast<uint32_t>(Compression::kZlib)) {
        return Status::error(
            ErrorCode::kCorruption,
            "Unknown keys model {} or compression {}",
            message.keys_model(),
            message.compression()
        );
    }
    definition.keys_model = static_cast<KeysModel>(message.keys_model());
    definition.compression = static_cast<Compression>(message.compression());
    definition.num_short_key_columns = message.num_short_key_columns();
    definition.bloom_filter_fpp = message.bloom_filter_fpp();
    definition.merge_on_write = message.merge_on_write();
    if (message.has_delete_sign_id()) {
        definition.delete_sign_id = message.delete_sign_id();
    }
    if (message.has_sequence_id()) {
        definition.sequence_id = message.sequence_id();
    }
    if (message.has_version_id()) {
        definition.version_id = message.version_id();
    }
    if (message.has_row_store_id()) {
        definition.row_store_id = message.row_store_id();
    }
    definition.row_store_column_ids.assign(
        message.row_store_column_ids().begin(), message.row_store_column_ids().end()
    );
    for (const pb::SchemaColumn& source : message.columns()) {
        SchemaColumn column;
        column.unique_id = source.unique_id();
        column.name = source.name();
        ASSIGN_OR_RETURN(column.type, type_from_protobuf(source.type()));
        column.is_key = source.is_key();
        column.aggregation = source.aggregation();
        column.is_bloom_filter = source.is_bloom_filter();
        column.is_hidden = source.is_hidden();
        if (source.has_default()) {
            ASSIGN_OR_RETURN(
                column.default_value, value_from_bytes(column.type, source.default_value())
            );
        }
        definition.columns.push_back(std::move(column));
    }
    return create(std::move(definition));
}

void TabletSchema::to_protobuf(pb::TabletSchema& message) const {
    message.set_table_id(definition_.table_id);
    message.set_index_id(definition_.index_id);
    message.set_schema_version(definition_.schema_version);
    message.set_keys_model(static_cast<uint32_t>(definition_.keys_model));
    message.set_compression(static_cast<uint32_t>(definition_.compression));
    message.set_num_short_key_columns(definition_.num_short_key_columns);
    message.set_bloom_filter_fpp(definition_.bloom_filter_fpp);
    message.set_merge_on_write(definition_.merge_on_write);
    if (definition_.delete_sign_id.has_value()) {
        message.set_delete_sign_id(*definition_.delete_sign_id);
    }
    if (definition_.sequence_id.has_value()) {
        message.set_sequence_id(*definition_.sequence_id);
    }
    if (definition_.version_id.has_value()) {
        message.set_version_id(*definition_.version_id);
    }
    if (definition_.row_store_id.has_value()) {
        message.set_row_store_id(*definition_.row_store_id);
    }
    message.mutable_row_store_column_ids()->Add(
        definition_.row_store_column_ids.begin(), definition_.row_store_column_ids.end()
    );
    for (const SchemaColumn& column : definition_.columns) {
        pb::SchemaColumn& target = *message.add_columns();
        target.set_unique_id(column.unique_id);
        target.set_name(column.name);
        type_to_protobuf(column.type, *target.mutable_type());
        target.set_is_key(column.is_key);
        target.set_aggregation(column.aggregation);
        target.set_is_bloom_filter(column.is_bloom_filter);
        target.set_is_hidden(column.is_hidden);
        if (column.default_value != nullptr && !column.default_value->is_null(0)) {
            target.set_has_default(true);
            target.set_default_value(value_to_bytes(*column.default_value, 0));
        }
    }
}

std::optional<size_t> TabletSchema::find_column(int32_t unique_id) const {
    auto found = position_by_id_.find(unique_id);
    return found == position_by_id_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace thetis
