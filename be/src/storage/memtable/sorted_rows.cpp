// SPDX-License-Identifier: Apache-2.0
#include "storage/memtable/sorted_rows.h"

#include "column/builder.h"
#include "storage.pb.h"
#include "storage/segment/page_format.h"
#include "storage/segment/row_store.h"
#include "storage/segment/segment_writer.h"

namespace thetis {

ColumnPtr default_of(const SchemaColumn& column) {
    if (column.default_value != nullptr) {
        return column.default_value;
    }
    if (!column.type.nullable && !column.is_hidden) {
        return nullptr;
    }
    ColumnBuilder builder(column.type, 1);
    if (column.type.nullable) {
        builder.append_null();
    } else {
        builder.append_defaults(1);
    }
    return builder.finish();
}

SortedRows::SortedRows(
    std::shared_ptr<const WriteLayout> layout, uint32_t num_rows, std::vector<uint32_t> order
)
    : layout_(std::move(layout)),
      num_rows_(num_rows),
      order_(std::move(order)),
      sources_(layout_->schema()->num_columns()) {}

void SortedRows::set_arrived(size_t position, ColumnPtr column) {
    sources_[position] = {std::move(column), order_.empty()};
}

void SortedRows::set_ordered(size_t position, ColumnPtr column) {
    sources_[position] = {std::move(column), true};
}

ColumnPtr SortedRows::part(size_t position, uint32_t row, uint32_t count) const {
    const Source& source = sources_[position];
    if (!source.is_ordered) {
        return gather(source.column, order_.data() + row, count);
    }
    return row == 0 && count == source.column->size() ? source.column
                                                      : slice(source.column, row, count);
}

void SortedRows::keep(std::span<const uint32_t> rows) {
    const auto count = static_cast<uint32_t>(rows.size());
    for (Source& source : sources_) {
        if (source.column != nullptr && source.is_ordered) {
            source.column = gather(source.column, rows.data(), count);
        }
    }
    if (!order_.empty()) {
        std::vector<uint32_t> order;
        order.reserve(count);
        for (const uint32_t row : rows) {
            order.push_back(order_[row]);
        }
        order_ = std::move(order);
    }
    num_rows_ = count;
}

Status SortedRows::complete() {
    const TabletSchema& schema = *layout_->schema();
    for (const size_t position : layout_->absent()) {
        if (has(position)) {
            continue;
        }
        ColumnPtr value = default_of(schema.columns()[position]);
        if (value == nullptr) {
            return Status::error(
                ErrorCode::kInvalidArgument,
                "Column {} gets no value: it is NOT NULL and has no default",
                schema.columns()[position].name
            );
        }
        const ColumnPtr all = Column::constant(std::move(value), num_rows_);
        set_ordered(position, all->flatten(all));
    }
    return layout_->row_store().has_value() ? encode_row_store(*layout_->row_store()) : Status();
}

Status SortedRows::encode_row_store(size_t position) {
    const TabletSchema& schema = *layout_->schema();
    const std::vector<int32_t> unique_ids = row_store_columns(schema);
    ColumnBuilder rows(schema.columns()[position].type, num_rows_);
    for (uint32_t row = 0; row < num_rows_; row += kPageRows) {
        const uint32_t count = std::min(kPageRows, num_rows_ - row);
        std::vector<ColumnPtr> columns;
        for (const int32_t unique_id : unique_ids) {
            columns.push_back(part(*schema.find_column(unique_id), row, count));
        }
        thetis::encode_row_store(unique_ids, columns, rows);
    }
    set_ordered(position, rows.finish());
    return {};
}

Result<SegmentFile> SortedRows::write(const FileSystem& fs, const std::string& path, bool sync) {
    const bool is_sorted = layout_->schema()->num_key_columns() > 0;
    ASSIGN_OR_RETURN(auto writer, SegmentWriter::create(fs, path, layout_->schema(), is_sorted));
    for (size_t i = 0; i < sources_.size(); ++i) {
        for (uint32_t row = 0; row < num_rows_; row += kPageRows) {
            RETURN_IF_ERROR(
                writer->append_column(i, part(i, row, std::min(kPageRows, num_rows_ - row)))
            );
        }
        RETURN_IF_ERROR(writer->finish_column(i));
        sources_[i].column = nullptr;
    }
    pb::SegmentMeta meta;
    RETURN_IF_ERROR(writer->finish(num_rows_, sync, meta));
    return SegmentFile{
        .id = 0,
        .num_rows = meta.num_rows(),
        .size_bytes = meta.size_bytes(),
        .min_key = meta.min_key(),
        .max_key = meta.max_key()
    };
}

}  // namespace thetis
