// SPDX-License-Identifier: Apache-2.0
#include "storage/memtable/memtable.h"

#include "storage.pb.h"
#include "storage/memtable/row_sort.h"
#include "storage/segment/page_format.h"
#include "storage/segment/segment_writer.h"

namespace thetis {

Memtable::Memtable(TabletSchemaPtr schema) : schema_(std::move(schema)) {
    for (const SchemaColumn& column : schema_->columns()) {
        builders_.emplace_back(column.type);
    }
}

Status Memtable::check(const Batch& batch) const {
    if (batch.columns.size() != schema_->num_columns()) {
        return Status::error(
            ErrorCode::kInvalidArgument,
            "A tablet of {} columns cannot take {}",
            schema_->num_columns(),
            batch.columns.size()
        );
    }
    for (size_t i = 0; i < batch.columns.size(); ++i) {
        const SchemaColumn& column = schema_->columns()[i];
        if (batch.columns[i]->physical() != column.type.physical()) {
            return Status::error(
                ErrorCode::kInvalidArgument,
                "Column {} takes {}, not {}",
                column.name,
                column.type.to_string(),
                batch.columns[i]->type().to_string()
            );
        }
    }
    return {};
}

Status Memtable::append(const Batch& batch, std::span<const uint16_t> rows) {
    RETURN_IF_ERROR(check(batch));
    const auto count = static_cast<uint32_t>(rows.size());
    for (size_t i = 0; i < builders_.size(); ++i) {
        const SchemaColumn& column = schema_->columns()[i];
        if (!column.type.nullable && batch.columns[i]->may_have_nulls()) {
            for (const uint16_t row : rows) {
                if (batch.columns[i]->is_null(row)) {
                    return Status::error(
                        ErrorCode::kInvalidArgument,
                        "NULL in column {}, which is NOT NULL",
                        column.name
                    );
                }
            }
        }
    }
    for (size_t i = 0; i < builders_.size(); ++i) {
        builders_[i].append_from(*batch.columns[i], rows.data(), count);
    }
    num_rows_ += count;
    return {};
}

size_t Memtable::memory_bytes() const {
    size_t total = 0;
    for (const ColumnBuilder& builder : builders_) {
        total += builder.memory_bytes();
    }
    return total;
}

Result<SegmentFile> Memtable::flush(const FileSystem& fs, const std::string& path, bool sync) {
    std::vector<ColumnPtr> columns;
    for (ColumnBuilder& builder : builders_) {
        columns.push_back(builder.finish());
    }
    const size_t num_keys = schema_->num_key_columns();
    const std::vector<uint32_t> order = sort_rows(std::span(columns).first(num_keys), num_rows_);
    ASSIGN_OR_RETURN(auto writer, SegmentWriter::create(fs, path, schema_, num_keys > 0));
    for (size_t i = 0; i < columns.size(); ++i) {
        for (uint32_t row = 0; row < num_rows_; row += kPageRows) {
            const uint32_t count = std::min(kPageRows, num_rows_ - row);
            const ColumnPtr part = order.empty() ? slice(columns[i], row, count)
                                                 : gather(columns[i], order.data() + row, count);
            RETURN_IF_ERROR(writer->append_column(i, part));
        }
        RETURN_IF_ERROR(writer->finish_column(i));
        columns[i] = nullptr;
    }
    pb::SegmentMeta meta;
    RETURN_IF_ERROR(writer->finish(num_rows_, sync, meta));
    num_rows_ = 0;
    return SegmentFile{.id = 0, .num_rows = meta.num_rows(), .size_bytes = meta.size_bytes()};
}

}  // namespace thetis
