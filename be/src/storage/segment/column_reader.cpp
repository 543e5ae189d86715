// SPDX-License-Identifier: Apache-2.0
#include "storage/segment/column_reader.h"

#include "column/scalar.h"

namespace thetis {

namespace {

/// Bits [first, first + count) of a bitmap; null when all are set. Reads no word past those that
/// hold the bits.
BufferPtr slice_validity(const uint64_t* words, uint32_t first, uint32_t count) {
    if (words == nullptr) {
        return nullptr;
    }
    const size_t num_words = validity::num_words(count);
    const size_t last_word = (static_cast<size_t>(first) + count - 1) / 64;
    auto result = Buffer::allocate(num_words * sizeof(uint64_t));
    auto* target = result->as<uint64_t>();
    const uint32_t shift = first % 64;
    uint64_t all = ~uint64_t{0};
    for (size_t i = 0; i < num_words; ++i) {
        const size_t source = first / 64 + i;
        uint64_t word = words[source] >> shift;
        if (shift != 0 && source < last_word) {
            word |= words[source + 1] << (64 - shift);
        }
        const bool is_cut = i + 1 == num_words && count % 64 != 0;
        target[i] = is_cut ? word | (~uint64_t{0} << (count % 64)) : word;
        all &= target[i];
    }
    return all == ~uint64_t{0} ? nullptr : BufferPtr(std::move(result));
}

BufferPtr gather_validity(
    const uint64_t* words, uint32_t first, const uint16_t* positions, uint32_t count
) {
    if (words == nullptr) {
        return nullptr;
    }
    auto result = validity::all_valid(count);
    bool has_nulls = false;
    for (uint32_t i = 0; i < count; ++i) {
        if (!validity::is_valid(words, first + positions[i])) {
            validity::set_null(result->as<uint64_t>(), i);
            has_nulls = true;
        }
    }
    return has_nulls ? BufferPtr(std::move(result)) : nullptr;
}

}  // namespace

Result<std::unique_ptr<ColumnReader>> ColumnReader::open(
    const SegmentSource& source,
    const ScanColumn& column,
    std::optional<int32_t> version_id,
    bool use_page_cache
) {
    const Segment& segment = *source.segment;
    auto reader = std::make_unique<ColumnReader>(source.segment, column.type);
    reader->use_page_cache_ = use_page_cache;
    if (source.version.has_value() && version_id == column.unique_id) {
        reader->missing_ = Scalar::integer(column.type, *source.version).to_column();
        return reader;
    }
    if (!segment.has_column(column.unique_id)) {
        reader->missing_ = column.missing_value == nullptr ? Column::all_null(column.type, 1)
                                                           : column.missing_value;
        if (reader->missing_->form() == ColumnForm::kConstant) {
            reader->missing_ = reader->missing_->base();
        }
        return reader;
    }
    ASSIGN_OR_RETURN(reader->pages_, segment.column(column.unique_id));
    if (reader->pages_->type.physical() != column.type.physical()) {
        return Status::error(
            ErrorCode::kNotSupported,
            "Column of unique id {} was written as {} and cannot be read as {}: {}",
            column.unique_id,
            reader->pages_->type.to_string(),
            column.type.to_string(),
            segment.path()
        );
    }
    return reader;
}

Status ColumnReader::seek(uint32_t row) {
    if (page_ != nullptr && row >= page_begin_ && row < page_end_) {
        return {};
    }
    const uint32_t number = pages_->page_of(row);
    ASSIGN_OR_RETURN(page_, segment_->read_page(*pages_, number, counts_, use_page_cache_));
    page_begin_ = pages_->first_rows[number];
    page_end_ = pages_->first_rows[number + 1];
    return {};
}

Result<ColumnPtr> ColumnReader::read(uint32_t first_row, uint32_t num_rows) {
    if (pages_ == nullptr) {
        return Column::constant(missing_, num_rows);
    }
    std::vector<ColumnPtr> parts;
    for (uint32_t row = first_row; row < first_row + num_rows;) {
        RETURN_IF_ERROR(seek(row));
        const uint32_t count = std::min(page_end_, first_row + num_rows) - row;
        parts.push_back(decode(row, count));
        row += count;
    }
    return parts.size() == 1 ? std::move(parts.front()) : concatenate(parts);
}

Result<ColumnPtr> ColumnReader::read(uint32_t first_row, const Selection& positions) {
    const auto num_positions = static_cast<uint32_t>(positions.size());
    if (pages_ == nullptr) {
        return Column::constant(missing_, num_positions);
    }
    std::vector<ColumnPtr> parts;
    for (uint32_t i = 0; i < num_positions;) {
        RETURN_IF_ERROR(seek(first_row + positions[i]));
        uint32_t end = i + 1;
        if (first_row + positions[num_positions - 1] < page_end_) {
            end = num_positions;
        }
        while (end < num_positions && first_row + positions[end] < page_end_) {
            ++end;
        }
        parts.push_back(gather(first_row, positions.data() + i, end - i));
        i = end;
    }
    return parts.size() == 1 ? std::move(parts.front()) : concatenate(parts);
}

ColumnPtr ColumnReader::decode(uint32_t first_row, uint32_t num_rows) {
    const size_t width = page_->holds_codes()
                             ? sizeof(uint32_t)
                             : static_cast<size_t>(physical_size(type_.physical()));
    auto values = Buffer::allocate(num_rows * width);
    page_->decoder().decode(first_row - page_begin_, num_rows, values->data());
    return make_column(
        num_rows,
        std::move(values),
        slice_validity(page_->valid_words(), first_row - page_begin_, num_rows)
    );
}

ColumnPtr ColumnReader::gather(
    uint32_t first_row, const uint16_t* positions, uint32_t num_positions
) {
    const size_t width = page_->holds_codes()
                             ? sizeof(uint32_t)
                             : static_cast<size_t>(physical_size(type_.physical()));
    auto values = Buffer::allocate(num_positions * width);
    // The page may begin after the window; unsigned arithmetic wraps back into it.
    const uint32_t base = first_row - page_begin_;
    page_->decoder().gather(base, positions, num_positions, values->data());
    return make_column(
        num_positions,
        std::move(values),
        gather_validity(page_->valid_words(), base, positions, num_positions)
    );
}

ColumnPtr ColumnReader::make_column(uint32_t num_rows, BufferPtr values, BufferPtr valid) const {
    if (page_->holds_codes()) {
        return Column::dictionary(
            num_rows, std::move(values), std::move(valid), pages_->dictionary
        );
    }
    std::vector<BufferPtr> payloads;
    if (type_.physical() == PhysicalType::kString) {
        payloads.push_back(page_->raw());
    }
    return Column::flat(type_, num_rows, std::move(values), std::move(valid), std::move(payloads));
}

}  // namespace thetis
