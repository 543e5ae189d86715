// SPDX-License-Identifier: Apache-2.0
#include "storage/segment/primary_key_writer.h"

#include "storage.pb.h"
#include "storage/index/split_block_filter.h"
#include "storage/segment/page_format.h"

namespace thetis {

namespace {

constexpr size_t kPageBytes = 16 << 10;
constexpr double kFilterRate = 0.01;

SortKeyEncoder make_encoder(const TabletSchema& schema, bool with_sequence) {
    std::vector<DataType> types;
    for (size_t i = 0; i < schema.num_key_columns(); ++i) {
        types.push_back(schema.columns()[i].type);
    }
    if (with_sequence && schema.sequence_id().has_value()) {
        types.push_back(schema.columns()[*schema.find_column(*schema.sequence_id())].type);
    }
    std::vector<SortOrder> orders(types.size());
    return {std::move(types), std::move(orders)};
}

}  // namespace

SortKeyEncoder make_key_encoder(const TabletSchema& schema) {
    return make_encoder(schema, false);
}

SortKeyEncoder make_sequenced_key_encoder(const TabletSchema& schema) {
    return make_encoder(schema, true);
}

uint32_t sequence_key_bytes(const TabletSchema& schema) {
    if (!schema.sequence_id().has_value()) {
        return 0;
    }
    const DataType& type = schema.columns()[*schema.find_column(*schema.sequence_id())].type;
    return 1 + static_cast<uint32_t>(physical_size(type.physical()));
}

PrimaryKeyWriter::PrimaryKeyWriter(Compression compression, uint32_t sequence_bytes)
    : compression_(compression),
      sequence_bytes_(sequence_bytes),
      pages_(std::make_unique<pb::PrimaryKeyPages>()) {}

PrimaryKeyWriter::~PrimaryKeyWriter() = default;

Status PrimaryKeyWriter::add(const SortKeys& keys) {
    for (uint32_t row = 0; row < keys.size(); ++row) {
        const std::string_view entry = keys[row];
        const std::string_view key = entry.substr(0, entry.size() - sequence_bytes_);
        if (hashes_.empty()) {
            first_ = key;
        } else if (last_ >= key) {
            return Status::error(
                ErrorCode::kInternal, "Key {} of a segment does not ascend", hashes_.size()
            );
        }
        last_.assign(key);
        if (page_.num_keys() == 0) {
            pages_->add_first_key(entry.data(), entry.size());
        }
        page_.add(entry);
        hashes_.push_back(SplitBlockFilter::hash(key));
        if (page_.size_bytes() >= kPageBytes) {
            RETURN_IF_ERROR(write_page());
        }
    }
    return {};
}

Status PrimaryKeyWriter::write_page() {
    PageHeader header;
    header.kind = PageKind::kPrimaryKeys;
    header.page_number = static_cast<uint32_t>(pages_->offset_size());
    header.num_rows = page_.num_keys();
    const size_t begin = bytes_.size();
    const std::vector<uint8_t> body = page_.finish();
    RETURN_IF_ERROR(append_page(header, compression_, body, bytes_));
    pages_->add_offset(begin);
    pages_->add_size(static_cast<uint32_t>(bytes_.size() - begin));
    pages_->add_num_rows(header.num_rows);
    return {};
}

Status PrimaryKeyWriter::finish(uint64_t file_offset, pb::PrimaryKeyIndex& meta) {
    if (page_.num_keys() > 0) {
        RETURN_IF_ERROR(write_page());
    }
    SplitBlockFilter filter(hashes_.size(), kFilterRate);
    for (const uint64_t hash : hashes_) {
        filter.add(hash);
    }
    for (int i = 0; i < pages_->offset_size(); ++i) {
        pages_->set_offset(i, pages_->offset(i) + file_offset);
    }
    const auto add_page = [&](PageKind kind, std::span<const uint8_t> raw, pb::PagePointer& pointer
                          ) {
        PageHeader header;
        header.kind = kind;
        header.num_rows = static_cast<uint32_t>(hashes_.size());
        const size_t begin = bytes_.size();
        RETURN_IF_ERROR(append_page(header, compression_, raw, bytes_));
        pointer.set_offset(file_offset + begin);
        pointer.set_size(static_cast<uint32_t>(bytes_.size() - begin));
        return Status();
    };
    RETURN_IF_ERROR(add_page(PageKind::kPrimaryKeyFilter, filter.bytes(), *meta.mutable_filter()));
    const std::string pages = pages_->SerializeAsString();
    RETURN_IF_ERROR(add_page(
        PageKind::kPrimaryKeyPages,
        {reinterpret_cast<const uint8_t*>(pages.data()), pages.size()},
        *meta.mutable_pages()
    ));
    meta.set_sequence_bytes(sequence_bytes_);
    meta.set_min_key(first_);
    meta.set_max_key(last_);
    return {};
}

}  // namespace thetis
