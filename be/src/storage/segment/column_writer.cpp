// SPDX-License-Identifier: Apache-2.0
#include "storage/segment/column_writer.h"

#include "storage.pb.h"
#include "storage/index/short_key_index.h"
#include "storage/schema_codec.h"
#include "storage/segment/encoding_choice.h"

namespace thetis {

namespace {

constexpr uint32_t kMaxDictionaryEntries = 65536;
constexpr size_t kMaxDictionaryBytes = 4 << 20;
constexpr uint32_t kMinDictionaryRows = 64;
constexpr size_t kMaxStringPageBytes = 256 * 1024;

size_t string_bytes(const Column& column, uint32_t begin, uint32_t end) {
    const auto* values = column.values<StringRef>();
    size_t total = 0;
    for (uint32_t i = begin; i < end; ++i) {
        total += values[i].size();
    }
    return total;
}

}  // namespace

ColumnWriter::ColumnWriter(
    const SchemaColumn& column, Compression compression, double bloom_filter_fpp
)
    : column_(column),
      compression_(compression),
      index_(std::make_unique<pb::ColumnIndex>()),
      zones_(column.type),
      bloom_filters_(bloom_filter_fpp),
      use_dictionary_(column.type.is_string()),
      samples_(column.type) {}

ColumnWriter::~ColumnWriter() = default;

Status ColumnWriter::append(const ColumnPtr& column) {
    if (column->physical() != column_.type.physical()) {
        return Status::error(
            ErrorCode::kInvalidArgument,
            "Column {} takes {}, not {}",
            column_.name,
            column_.type.to_string(),
            column->type().to_string()
        );
    }
    if (column->size() == 0) {
        return {};
    }
    ColumnPtr flat = column->flatten(column);
    if (is_sampling_) {
        sample(flat);
    }
    num_rows_ += flat->size();
    pending_rows_ += flat->size();
    pending_.push_back(std::move(flat));
    while (pending_rows_ >= kPageRows) {
        RETURN_IF_ERROR(write_pending(kPageRows));
    }
    return {};
}

void ColumnWriter::sample(const ColumnPtr& column) {
    const auto skip =
        static_cast<uint32_t>((kRowsPerShortKey - num_rows_ % kRowsPerShortKey) % kRowsPerShortKey);
    for (uint32_t row = skip; row < column->size(); row += kRowsPerShortKey) {
        samples_.append_from(*column, row, 1);
    }
}

Status ColumnWriter::write_pending(uint32_t num_rows) {
    ColumnPtr rows = pending_.size() == 1 ? pending_.front() : concatenate(pending_);
    const uint32_t available = rows->size();
    pending_.clear();
    pending_rows_ = available - num_rows;
    if (pending_rows_ > 0) {
        pending_.push_back(slice(rows, num_rows, pending_rows_));
        rows = slice(rows, 0, num_rows);
    }
    return write_rows(rows);
}

Status ColumnWriter::write_rows(const ColumnPtr& column) {
    if (column_.type.is_string()) {
        return write_strings(column);
    }
    if (column_.type.physical() == PhysicalType::kFloat ||
        column_.type.physical() == PhysicalType::kDouble) {
        return write_reals(column);
    }
    return write_page(
        PageKind::kData, choose_integer_encoding(*column), *column, column, describe(*column)
    );
}

Status ColumnWriter::write_reals(const ColumnPtr& column) {
    const ZoneMap zone = describe(*column);
    std::vector<uint8_t> raw = validity_of(*column, zone);
    RETURN_IF_ERROR(encode_real(*column, compression_, real_encoding_, raw));
    zone.to_protobuf(*index_->add_zone_maps());
    return write_page(PageKind::kData, real_encoding_, column, raw);
}

/// What readers may know of the next page without opening it; `values` are its values, each at
/// least once.
ZoneMap ColumnWriter::describe(const Column& values, bool has_other_nulls) {
    if (column_.is_bloom_filter) {
        bloom_filters_.add_page(bloom_hashes(values));
    }
    return zones_.add_page(values, has_other_nulls);
}

Status ColumnWriter::write_strings(const ColumnPtr& column) {
    Status status;
    if (use_dictionary_ && try_dictionary(column, status)) {
        return status;
    }

    // Plain pages are cut so that long strings do not make huge ones.
    for (uint32_t begin = 0; begin < column->size();) {
        uint32_t end = column->size();
        while (end - begin > 1 && string_bytes(*column, begin, end) > kMaxStringPageBytes) {
            end = begin + std::max<uint32_t>((end - begin) / 4, 1);
        }
        const ColumnPtr part =
            begin == 0 && end == column->size() ? column : slice(column, begin, end - begin);
        RETURN_IF_ERROR(
            write_page(PageKind::kData, EncodingId::kPlainString, *part, part, describe(*part))
        );
        begin = end;
    }
    return {};
}

bool ColumnWriter::try_dictionary(const ColumnPtr& column, Status& status) {
    const bool is_first = index_->offset_size() == 0;
    const uint32_t max_entries = is_first ? column->size() / 2 : kMaxDictionaryEntries;
    std::vector<uint32_t> codes;
    if ((is_first && column->size() < kMinDictionaryRows) ||
        !dictionary_.encode(*column, max_entries, kMaxDictionaryBytes, codes)) {
        use_dictionary_ = false;
        return false;
    }

    // The zone map needs each value once.
    std::vector<uint8_t> is_used(dictionary_.size());
    for (uint32_t row = 0; row < column->size(); ++row) {
        is_used[codes[row]] |= validity::is_valid(column->valid_words(), row) ? 1 : 0;
    }
    std::vector<uint32_t> used;
    for (uint32_t code = 0; code < is_used.size(); ++code) {
        if (is_used[code] != 0) {
            used.push_back(code);
        }
    }
    const bool has_nulls = column->valid_words() != nullptr &&
                           validity::count_nulls(column->valid_words(), column->size()) > 0;
    const ZoneMap zone = describe(*dictionary_.column(column_.type, used), has_nulls);
    const ColumnPtr values = Column::flat(
        DataType::of(TypeId::kInt, false),
        column->size(),
        Buffer::copy_of(codes.data(), codes.size() * sizeof(uint32_t))
    );
    status = write_page(
        PageKind::kDictionaryCodes, choose_integer_encoding(*values), *values, column, zone
    );
    return true;
}

/// The raw bytes of a page begin with these.
std::vector<uint8_t> ColumnWriter::validity_of(const Column& rows, const ZoneMap& zone) {
    if (!zone.has_null) {
        return {};
    }
    const auto* words = reinterpret_cast<const uint8_t*>(rows.valid_words());
    return {words, words + validity::num_words(rows.size()) * sizeof(uint64_t)};
}

Status ColumnWriter::write_page(
    PageKind kind,
    EncodingId encoding,
    const Column& values,
    const ColumnPtr& rows,
    const ZoneMap& zone
) {
    std::vector<uint8_t> raw = validity_of(*rows, zone);
    RETURN_IF_ERROR(EncodingRegistry::built_in().get(encoding).encode(values, raw));
    zone.to_protobuf(*index_->add_zone_maps());
    return write_page(kind, encoding, rows, raw);
}

Status ColumnWriter::write_page(
    PageKind kind, EncodingId encoding, const ColumnPtr& rows, std::span<const uint8_t> raw
) {
    PageHeader header;
    header.kind = kind;
    header.encoding = static_cast<uint8_t>(encoding);
    // The last zone map is this page's.
    header.has_validity = index_->zone_maps().rbegin()->has_null() ? 1 : 0;
    header.column_unique_id = column_.unique_id;
    header.page_number = static_cast<uint32_t>(index_->offset_size());
    header.num_rows = rows->size();
    const size_t begin = bytes_.size();
    RETURN_IF_ERROR(append_page(header, compression_, raw, bytes_));
    index_->add_offset(begin);
    index_->add_size(static_cast<uint32_t>(bytes_.size() - begin));
    index_->add_num_rows(rows->size());
    return {};
}

Status ColumnWriter::finish(uint64_t file_offset, pb::SegmentColumn& meta) {
    if (pending_rows_ > 0) {
        RETURN_IF_ERROR(write_pending(pending_rows_));
    }
    meta.set_unique_id(column_.unique_id);
    type_to_protobuf(column_.type, *meta.mutable_type());
    meta.set_data_size_bytes(bytes_.size());
    zones_.total().to_protobuf(*meta.mutable_zone_map());
    const auto add_page = [&](PageKind kind,
                              EncodingId encoding,
                              uint32_t num_rows,
                              std::span<const uint8_t> raw,
                              pb::PagePointer& pointer) {
        PageHeader header;
        header.kind = kind;
        header.encoding = static_cast<uint8_t>(encoding);
        header.column_unique_id = column_.unique_id;
        header.num_rows = num_rows;
        pointer.set_offset(file_offset + bytes_.size());
        const size_t begin = bytes_.size();
        RETURN_IF_ERROR(append_page(header, compression_, raw, bytes_));
        pointer.set_size(static_cast<uint32_t>(bytes_.size() - begin));
        return Status();
    };
    if (dictionary_.size() > 0) {
        std::vector<uint8_t> raw;
        const ColumnPtr entries = dictionary_.column(column_.type);
        RETURN_IF_ERROR(
            EncodingRegistry::built_in().get(EncodingId::kPlainString).encode(*entries, raw)
        );
        RETURN_IF_ERROR(add_page(
            PageKind::kDictionary,
            EncodingId::kPlainString,
            dictionary_.size(),
            raw,
            *meta.mutable_dictionary()
        ));
        meta.set_dictionary_entries(dictionary_.size());
    }
    if (column_.is_bloom_filter) {
        RETURN_IF_ERROR(add_page(
            PageKind::kBloomFilter,
            EncodingId::kPlain,
            static_cast<uint32_t>(index_->offset_size()),
            bloom_filters_.finish(),
            *meta.mutable_bloom_filter()
        ));
    }
    for (int i = 0; i < index_->offset_size(); ++i) {
        index_->set_offset(i, index_->offset(i) + file_offset);
    }
    const std::string index = index_->SerializeAsString();
    return add_page(
        PageKind::kColumnIndex,
        EncodingId::kPlain,
        static_cast<uint32_t>(index_->offset_size()),
        {reinterpret_cast<const uint8_t*>(index.data()), index.size()},
        *meta.mutable_index()
    );
}

}  // namespace thetis
