// SPDX-License-Identifier: Apache-2.0
#include "storage/rowset/rowset_meta.h"

#include "storage.pb.h"

namespace thetis {

Result<RowsetMeta> RowsetMeta::from_protobuf(const pb::RowsetMeta& message) {
    RowsetMeta meta;
    meta.rowset_id = message.rowset_id();
    meta.tablet_id = message.tablet_id();
    meta.txn_id = message.txn_id();
    meta.load_id = message.load_id();
    meta.is_visible = message.state() == pb::ROWSET_VISIBLE;
    meta.start_version = message.start_version();
    meta.end_version = message.end_version();
    meta.num_rows = message.num_rows();
    meta.data_size_bytes = message.data_size_bytes();
    meta.is_overlapping = message.overlapping();
    meta.creation_time = message.creation_time();
    meta.delete_predicate = message.delete_predicate();
    if (message.has_partial_update()) {
        const auto& ids = message.partial_update().column_unique_ids();
        meta.partial_update = PartialUpdate{
            .base_version = message.partial_update().base_version(),
            .column_unique_ids = {ids.begin(), ids.end()},
            .existing_only = message.partial_update().existing_only()
        };
        for (const pb::NewValue& value : message.partial_update().new_values()) {
            meta.partial_update->new_values.push_back(
                {.column_unique_id = value.column_unique_id(),
                 .bytes = value.has_value() ? std::optional(value.value()) : std::nullopt}
            );
        }
        if (!message.partial_update().missing().empty()) {
            ASSIGN_OR_RETURN(
                meta.partial_update->missing, decode_marks(message.partial_update().missing())
            );
        }
    }
    if (message.has_conversion()) {
        meta.conversion = ConversionProgress{
            .version = message.conversion().version(),
            .source = message.conversion().source(),
            .num_splits = message.conversion().num_splits()
        };
    }
    if (message.has_schema()) {
        ASSIGN_OR_RETURN(meta.schema, TabletSchema::from_protobuf(message.schema()));
    }
    for (const pb::SegmentMeta& segment : message.segments()) {
        meta.segments.push_back(
            {.id = segment.id(),
             .num_rows = segment.num_rows(),
             .size_bytes = segment.size_bytes(),
             .min_key = segment.min_key(),
             .max_key = segment.max_key()}
        );
    }
    const bool is_known =
        message.state() == pb::ROWSET_VISIBLE || message.state() == pb::ROWSET_COMMITTED;
    if (meta.rowset_id.empty() || !is_known ||
        (meta.is_visible && (meta.start_version < 0 || meta.start_version > meta.end_version))) {
        return Status::error(
            ErrorCode::kCorruption,
            "Impossible rowset {} of tablet {}: state {}, versions [{}-{}]",
            meta.rowset_id,
            meta.tablet_id,
            static_cast<int>(message.state()),
            meta.start_version,
            meta.end_version
        );
    }
    return meta;
}

void RowsetMeta::to_protobuf(pb::RowsetMeta& message) const {
    message.set_rowset_id(rowset_id);
    message.set_tablet_id(tablet_id);
    message.set_txn_id(txn_id);
    message.set_load_id(load_id);
    message.set_state(is_visible ? pb::ROWSET_VISIBLE : pb::ROWSET_COMMITTED);
    message.set_start_version(start_version);
    message.set_end_version(end_version);
    message.set_num_rows(num_rows);
    message.set_data_size_bytes(data_size_bytes);
    message.set_overlapping(is_overlapping);
    message.set_creation_time(creation_time);
    message.set_delete_predicate(delete_predicate);
    if (partial_update.has_value()) {
        message.mutable_partial_update()->set_base_version(partial_update->base_version);
        message.mutable_partial_update()->set_existing_only(partial_update->existing_only);
        message.mutable_partial_update()->mutable_column_unique_ids()->Add(
            partial_update->column_unique_ids.begin(), partial_update->column_unique_ids.end()
        );
        for (const NewValue& value : partial_update->new_values) {
            pb::NewValue& target = *message.mutable_partial_update()->add_new_values();
            target.set_column_unique_id(value.column_unique_id);
            if (value.bytes.has_value()) {
                target.set_value(*value.bytes);
            }
        }
        if (!partial_update->missing.empty()) {
            message.mutable_partial_update()->set_missing(encode_marks(partial_update->missing));
        }
    }
    if (conversion.has_value()) {
        message.mutable_conversion()->set_version(conversion->version);
        message.mutable_conversion()->set_source(conversion->source);
        message.mutable_conversion()->set_num_splits(conversion->num_splits);
    }
    if (schema != nullptr) {
        schema->to_protobuf(*message.mutable_schema());
    }
    for (const SegmentFile& segment : segments) {
        pb::SegmentMeta& target = *message.add_segments();
        target.set_id(segment.id);
        target.set_num_rows(segment.num_rows);
        target.set_size_bytes(segment.size_bytes);
        target.set_min_key(segment.min_key);
        target.set_max_key(segment.max_key);
    }
}

std::string segment_file_name(const std::string& rowset_id, uint32_t segment_id) {
    return fmt::format("{}_{}.dat", rowset_id, segment_id);
}

std::string rowset_of_file_name(const std::string& file_name) {
    const size_t end = file_name.find('_');
    return end == std::string::npos || !file_name.ends_with(".dat") ? std::string()
                                                                    : file_name.substr(0, end);
}

}  // namespace thetis
