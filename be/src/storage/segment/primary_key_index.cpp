// SPDX-License-Identifier: Apache-2.0
#include "storage/segment/primary_key_index.h"

#include <algorithm>

#include "base/memory/tracker.h"
#include "storage.pb.h"
#include "storage/segment/page_format.h"
#include "storage/segment/segment.h"

namespace thetis {

namespace {

Status corrupt(const RandomAccessFile& file, std::string_view what) {
    return Status::error(
        ErrorCode::kCorruption, "{} in the primary-key index of {}", what, file.path()
    );
}

}  // namespace

Result<std::unique_ptr<PrimaryKeyIndex>> PrimaryKeyIndex::open(
    const RandomAccessFile& file,
    const pb::PrimaryKeyIndex& meta,
    uint32_t num_rows,
    PageCache* cache,
    uint64_t file_id
) {
    std::unique_ptr<PrimaryKeyIndex> index(new PrimaryKeyIndex(file, cache, file_id));
    RETURN_IF_ERROR(index->load_pages(meta, num_rows));
    return index;
}

Status PrimaryKeyIndex::load_pages(const pb::PrimaryKeyIndex& meta, uint32_t num_rows) {
    sequence_bytes_ = meta.sequence_bytes();
    min_key_ = meta.min_key();
    max_key_ = meta.max_key();
    filter_offset_ = meta.filter().offset();
    filter_size_ = meta.filter().size();
    PageHeader header;
    ASSIGN_OR_RETURN(
        const BufferPtr raw,
        read_page_bytes(
            file_,
            meta.pages().offset(),
            meta.pages().size(),
            PageKind::kPrimaryKeyPages,
            0,
            0,
            header
        )
    );
    pb::PrimaryKeyPages pages;
    if (!pages.ParseFromArray(raw->data(), static_cast<int>(raw->size())) ||
        pages.size_size() != pages.offset_size() || pages.num_rows_size() != pages.offset_size() ||
        pages.first_key_size() != pages.offset_size()) {
        return corrupt(file_, "Unreadable list of pages");
    }
    uint64_t row = 0;
    for (int i = 0; i < pages.offset_size(); ++i) {
        first_rows_.push_back(static_cast<uint32_t>(row));
        offsets_.push_back(pages.offset(i));
        sizes_.push_back(pages.size(i));
        first_keys_.push_back(pages.first_key(i));
        row += pages.num_rows(i);
        if (pages.num_rows(i) == 0 || row > num_rows ||
            (i > 0 && pages.first_key(i) <= pages.first_key(i - 1))) {
            return corrupt(file_, "Impossible pages");
        }
    }
    first_rows_.push_back(num_rows);
    return row == num_rows ? Status() : corrupt(file_, "Wrong number of keys");
}

Result<std::shared_ptr<const SplitBlockFilter>> PrimaryKeyIndex::filter() const {
    const PageCache::Key place{.file_id = file_id_, .offset = filter_offset_};
    if (cache_ != nullptr) {
        if (CachedPagePtr cached = cache_->find(place)) {
            return std::static_pointer_cast<const SplitBlockFilter>(cached);
        }
    }
    MemoryScope scope(cache_ == nullptr ? nullptr : cache_->memory());
    PageHeader header;
    ASSIGN_OR_RETURN(
        const BufferPtr raw,
        read_page_bytes(
            file_, filter_offset_, filter_size_, PageKind::kPrimaryKeyFilter, 0, 0, header
        )
    );
    auto opened = SplitBlockFilter::open({raw->data(), raw->size()});
    if (!opened.ok()) {
        return opened.status().with_context("Primary-key index of {}", file_.path());
    }
    if (cache_ != nullptr) {
        cache_->insert(place, *opened);
    }
    return opened;
}

Result<std::shared_ptr<const LoadedKeyPage>> PrimaryKeyIndex::page(size_t number) const {
    const PageCache::Key place{.file_id = file_id_, .offset = offsets_[number]};
    if (cache_ != nullptr) {
        if (CachedPagePtr cached = cache_->find(place)) {
            return std::static_pointer_cast<const LoadedKeyPage>(cached);
        }
    }
    MemoryScope scope(cache_ == nullptr ? nullptr : cache_->memory());
    PageHeader header;
    ASSIGN_OR_RETURN(
        BufferPtr raw,
        read_page_bytes(
            file_,
            offsets_[number],
            sizes_[number],
            PageKind::kPrimaryKeys,
            0,
            static_cast<uint32_t>(number),
            header
        )
    );
    if (header.num_rows != rows_of(number)) {
        return corrupt(file_, "Wrong number of keys");
    }
    auto opened = PrimaryKeyPage::open({raw->data(), raw->size()}, header.num_rows);
    if (!opened.ok()) {
        return opened.status().with_context(
            "Page at offset {} of {}", offsets_[number], file_.path()
        );
    }
    auto result = std::make_shared<const LoadedKeyPage>(std::move(raw), *opened);
    if (cache_ != nullptr) {
        cache_->insert(place, result);
    }
    return result;
}

Result<std::optional<uint32_t>> PrimaryKeyIndex::find(std::string_view key) const {
    // The last page that begins at or below the key; with a sequence behind it, the key may also
    // begin the page after that.
    const auto above = std::upper_bound(first_keys_.begin(), first_keys_.end(), key);
    if (above != first_keys_.begin()) {
        const auto number = static_cast<size_t>(above - first_keys_.begin()) - 1;
        ASSIGN_OR_RETURN(const auto loaded, page(number));
        if (const auto position = loaded->page().find(key, sequence_bytes_)) {
            return std::optional(first_rows_[number] + *position);
        }
    }
    const bool begins_next = above != first_keys_.end() &&
                             above->size() == key.size() + sequence_bytes_ &&
                             above->starts_with(key);
    return begins_next
               ? std::optional(first_rows_[static_cast<size_t>(above - first_keys_.begin())])
               : std::optional<uint32_t>();
}

Result<PrimaryKeyReader> PrimaryKeyReader::open(std::shared_ptr<const Segment> segment) {
    PrimaryKeyReader reader;
    ASSIGN_OR_RETURN(reader.index_, segment->primary_key_index());
    if (reader.index_ == nullptr) {
        return Status::error(
            ErrorCode::kNotSupported, "No primary-key index in {}", segment->path()
        );
    }
    ASSIGN_OR_RETURN(reader.filter_, reader.index_->filter());
    reader.segment_ = std::move(segment);
    return reader;
}

Status PrimaryKeyReader::move_to_page(size_t number) {
    ASSIGN_OR_RETURN(page_, index_->page(number));
    page_number_ = number;
    cursor_ = PrimaryKeyCursor(page_->page());
    if (cursor_.key().size() < index_->sequence_bytes()) {
        return corrupt(index_->file_, "A key without its sequence");
    }
    return {};
}

Status PrimaryKeyReader::seek_to_first() {
    return index_->offsets_.empty() ? Status() : move_to_page(0);
}

Status PrimaryKeyReader::next() {
    cursor_.next();
    if (!cursor_.valid() && page_number_ + 1 < index_->offsets_.size()) {
        return move_to_page(page_number_ + 1);
    }
    return {};
}

Status PrimaryKeyReader::seek(std::string_view key) {
    const std::vector<std::string>& first_keys = index_->first_keys_;
    if (first_keys.empty()) {
        return {};
    }
    const bool is_behind = page_ == nullptr || !cursor_.valid() || cursor_.key() > key;
    const bool is_beyond =
        !is_behind && page_number_ + 1 < first_keys.size() && first_keys[page_number_ + 1] <= key;
    if (is_behind || is_beyond) {
        // The last page that begins at or below the key.
        const auto above = std::upper_bound(first_keys.begin(), first_keys.end(), key);
        const auto number =
            static_cast<size_t>(std::max<ptrdiff_t>(above - first_keys.begin() - 1, 0));
        if (page_ == nullptr || number != page_number_ || is_behind) {
            RETURN_IF_ERROR(move_to_page(number));
        }
    }
    cursor_.seek(key);
    // All of the page is below: the next one begins above the key.
    if (!cursor_.valid() && page_number_ + 1 < first_keys.size()) {
        return move_to_page(page_number_ + 1);
    }
    return {};
}

}  // namespace thetis
