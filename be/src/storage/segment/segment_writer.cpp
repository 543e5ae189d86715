// SPDX-License-Identifier: Apache-2.0
#include "storage/segment/segment_writer.h"

#include "base/hash.h"
#include "storage.pb.h"
#include "storage/index/short_key_index.h"
#include "storage/segment/column_writer.h"
#include "storage/segment/primary_key_writer.h"

namespace thetis {

Result<std::unique_ptr<SegmentWriter>> SegmentWriter::create(
    const FileSystem& fs, const std::string& path, TabletSchemaPtr schema, bool sorted
) {
    ASSIGN_OR_RETURN(auto file, fs.create(path));
    uint8_t magic[sizeof(kSegmentMagic)];
    std::memcpy(magic, &kSegmentMagic, sizeof(magic));
    RETURN_IF_ERROR(file->append(magic));
    return std::make_unique<SegmentWriter>(std::move(file), std::move(schema), sorted);
}

SegmentWriter::SegmentWriter(
    std::unique_ptr<WritableFile> file, TabletSchemaPtr schema, bool sorted
)
    : file_(std::move(file)),
      schema_(std::move(schema)),
      sorted_(sorted),
      writers_(schema_->num_columns()),
      footer_(std::make_unique<pb::SegmentFooter>()) {}

SegmentWriter::~SegmentWriter() = default;

ColumnWriter& SegmentWriter::writer(size_t position) {
    if (writers_[position] == nullptr) {
        writers_[position] = std::make_unique<ColumnWriter>(
            schema_->columns()[position], schema_->compression(), schema_->bloom_filter_fpp()
        );
        if (sorted_ && position < std::min(schema_->num_short_key_columns(), kMaxShortKeyColumns)) {
            writers_[position]->sample_short_keys();
        }
    }
    return *writers_[position];
}

Status SegmentWriter::append(const std::vector<ColumnPtr>& columns) {
    for (size_t i = 0; i < writers_.size(); ++i) {
        RETURN_IF_ERROR(append_column(i, columns[i]));
    }
    return {};
}

void SegmentWriter::keep_keys(size_t position, const ColumnPtr& rows) {
    const size_t num_keys = schema_->num_key_columns();
    if (!sorted_ || rows->size() == 0) {
        return;
    }
    if (position < num_keys) {
        key_bounds_.resize(num_keys);
        auto& [first, last] = key_bounds_[position];
        first = first == nullptr ? slice(rows, 0, 1) : first;
        last = slice(rows, rows->size() - 1, 1);
    }
    const bool is_sequence = schema_->columns()[position].unique_id == schema_->sequence_id();
    if (schema_->is_merge_on_write() && (position < num_keys || is_sequence)) {
        keys_.resize(num_keys + (schema_->sequence_id().has_value() ? 1 : 0));
        keys_[is_sequence ? num_keys : position].push_back(rows);
    }
}

Status SegmentWriter::append_column(size_t position, const ColumnPtr& rows) {
    keep_keys(position, rows);
    return writer(position).append(rows);
}

Status SegmentWriter::finish_column(size_t position) {
    ColumnWriter& column = writer(position);
    RETURN_IF_ERROR(column.finish(file_->size(), *footer_->add_columns()));
    if (sorted_ && position < std::min(schema_->num_short_key_columns(), kMaxShortKeyColumns)) {
        short_key_samples_.push_back(column.take_samples());
    }
    RETURN_IF_ERROR(file_->append(column.bytes()));
    writers_[position].reset();
    num_finished_ = position + 1;
    return {};
}

Status SegmentWriter::finish(uint64_t num_rows, bool sync, pb::SegmentMeta& meta) {
    for (size_t i = num_finished_; i < writers_.size(); ++i) {
        RETURN_IF_ERROR(finish_column(i));
    }
    footer_->set_format_version(kSegmentFormatVersion);
    footer_->set_num_rows(num_rows);
    footer_->set_sorted(sorted_);
    RETURN_IF_ERROR(write_short_keys());
    RETURN_IF_ERROR(write_primary_keys());
    RETURN_IF_ERROR(write_footer());
    if (sync) {
        RETURN_IF_ERROR(file_->sync());
    }
    meta.set_num_rows(num_rows);
    meta.set_size_bytes(file_->size());
    RETURN_IF_ERROR(set_bounds(meta));
    return file_->close();
}

Status SegmentWriter::write_short_keys() {
    if (short_key_samples_.empty() || short_key_samples_[0]->size() == 0) {
        return {};
    }
    const ColumnPtr keys = encode_short_keys(short_key_samples_);
    std::vector<uint8_t> raw;
    RETURN_IF_ERROR(EncodingRegistry::built_in().get(EncodingId::kPlainString).encode(*keys, raw));
    PageHeader header;
    header.kind = PageKind::kShortKeys;
    header.encoding = static_cast<uint8_t>(EncodingId::kPlainString);
    header.num_rows = keys->size();
    std::vector<uint8_t> bytes;
    RETURN_IF_ERROR(append_page(header, schema_->compression(), raw, bytes));
    footer_->mutable_short_key_index()->set_offset(file_->size());
    footer_->mutable_short_key_index()->set_size(static_cast<uint32_t>(bytes.size()));
    footer_->set_rows_per_short_key(kRowsPerShortKey);
    footer_->set_num_short_key_columns(static_cast<uint32_t>(short_key_samples_.size()));
    return file_->append(bytes);
}

Status SegmentWriter::write_primary_keys() {
    if (keys_.empty()) {
        return {};
    }
    std::vector<ColumnPtr> columns;
    for (std::vector<ColumnPtr>& parts : keys_) {
        columns.push_back(parts.size() == 1 ? parts.front() : concatenate(parts));
        parts.clear();
    }
    const SortKeyEncoder encoder = make_sequenced_key_encoder(*schema_);
    PrimaryKeyWriter writer(schema_->compression(), sequence_key_bytes(*schema_));
    SortKeys keys;
    for (uint32_t row = 0; row < columns[0]->size(); row += kMaxBatchRows) {
        const uint32_t count = std::min(kMaxBatchRows, columns[0]->size() - row);
        std::vector<ColumnPtr> part;
        for (const ColumnPtr& column : columns) {
            part.push_back(slice(column, row, count));
        }
        keys.clear();
        encoder.encode(part, nullptr, count, keys);
        RETURN_IF_ERROR(writer.add(keys));
    }
    RETURN_IF_ERROR(writer.finish(file_->size(), *footer_->mutable_primary_key_index()));
    return file_->append(writer.bytes());
}

Status SegmentWriter::set_bounds(pb::SegmentMeta& meta) const {
    if (key_bounds_.empty()) {
        return {};
    }
    std::vector<ColumnPtr> first;
    std::vector<ColumnPtr> last;
    for (const auto& bounds : key_bounds_) {
        first.push_back(bounds.first);
        last.push_back(bounds.second);
    }
    const SortKeyEncoder encoder = make_key_encoder(*schema_);
    SortKeys keys;
    encoder.encode(first, nullptr, 1, keys);
    encoder.encode(last, nullptr, 1, keys);
    meta.set_min_key(std::string(keys[0]));
    meta.set_max_key(std::string(keys[1]));
    return {};
}

Status SegmentWriter::write_footer() {
    const std::string footer = footer_->SerializeAsString();
    uint8_t tail[kSegmentTailBytes];
    const auto size = static_cast<uint32_t>(footer.size());
    const uint32_t checksum = crc32c(crc32c(0, footer.data(), footer.size()), &size, sizeof(size));
    std::memcpy(tail, &size, 4);
    std::memcpy(tail + 4, &checksum, 4);
    std::memcpy(tail + 8, &kSegmentMagic, 8);
    RETURN_IF_ERROR(file_->append({reinterpret_cast<const uint8_t*>(footer.data()), footer.size()})
    );
    return file_->append(tail);
}

}  // namespace thetis
