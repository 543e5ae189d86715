// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "column/buffer.h"
#include "io/cache/page_cache.h"
#include "io/fs/file_system.h"
#include "storage/index/primary_key_page.h"
#include "storage/index/split_block_filter.h"

namespace thetis {

namespace pb {
class PrimaryKeyIndex;
}

class Segment;

/// A page of keys with the bytes it reads from, as the page cache holds it.
class LoadedKeyPage final : public CachedPage {
public:
    LoadedKeyPage(BufferPtr bytes, PrimaryKeyPage page) : bytes_(std::move(bytes)), page_(page) {}

    size_t memory_bytes() const override { return bytes_->size() + sizeof(*this); }

    const PrimaryKeyPage& page() const { return page_; }

private:
    const BufferPtr bytes_;
    const PrimaryKeyPage page_;
};

/// The keys of a merge-on-write segment: key i is that of row i. Keeps where the pages are; pages
/// and filter live in the page cache. Immutable, thread-safe; lives in its segment.
class PrimaryKeyIndex {
public:
    /// `file` and `cache` (may be null) outlive the index.
    static Result<std::unique_ptr<PrimaryKeyIndex>> open(
        const RandomAccessFile& file,
        const pb::PrimaryKeyIndex& meta,
        uint32_t num_rows,
        PageCache* cache,
        uint64_t file_id
    );

    /// Bytes at the end of every entry that are the row's sequence.
    uint32_t sequence_bytes() const { return sequence_bytes_; }

    const std::string& min_key() const { return min_key_; }

    const std::string& max_key() const { return max_key_; }

    Result<std::shared_ptr<const SplitBlockFilter>> filter() const;

    /// The row of a key (without the sequence). One page is read at most.
    Result<std::optional<uint32_t>> find(std::string_view key) const;

private:
    friend class PrimaryKeyReader;

    PrimaryKeyIndex(const RandomAccessFile& file, PageCache* cache, uint64_t file_id)
        : file_(file), cache_(cache), file_id_(file_id) {}

    Status load_pages(const pb::PrimaryKeyIndex& meta, uint32_t num_rows);
    Result<std::shared_ptr<const LoadedKeyPage>> page(size_t number) const;

    uint32_t rows_of(size_t page) const { return first_rows_[page + 1] - first_rows_[page]; }

    const RandomAccessFile& file_;
    PageCache* const cache_;
    const uint64_t file_id_;
    uint32_t sequence_bytes_ = 0;
    std::string min_key_;
    std::string max_key_;
    uint64_t filter_offset_ = 0;
    uint32_t filter_size_ = 0;
    std::vector<uint64_t> offsets_;
    std::vector<uint32_t> sizes_;
    std::vector<uint32_t> first_rows_;  // One more than pages.
    std::vector<std::string> first_keys_;
};

/// Reads a segment's keys in order and finds single ones. For one thread at a time; keeps the
/// segment alive.
class PrimaryKeyReader {
public:
    /// not_supported when the segment has no primary-key index.
    static Result<PrimaryKeyReader> open(std::shared_ptr<const Segment> segment);

    /// Whether bounds and filter allow the key (without sequence); `hash` is its
    /// SplitBlockFilter::hash.
    bool may_contain(std::string_view key, uint64_t hash) const {
        return key >= index_->min_key() && key <= index_->max_key() && filter_->may_contain(hash);
    }

    /// Moves to the first key that is not below `key`; quick when it is not far ahead.
    Status seek(std::string_view key);
    Status seek_to_first();
    Status next();

    bool valid() const { return page_ != nullptr && cursor_.valid(); }

    /// The row's key without the sequence.
    std::string_view key() const {
        return cursor_.key().substr(0, cursor_.key().size() - index_->sequence_bytes());
    }

    std::string_view sequence() const {
        return cursor_.key().substr(cursor_.key().size() - index_->sequence_bytes());
    }

    uint32_t row() const { return index_->first_rows_[page_number_] + cursor_.position(); }

    /// Whether `key` is there; then the reader stands on it.
    Result<bool> find(std::string_view key) {
        RETURN_IF_ERROR(seek(key));
        return valid() && this->key() == key;
    }

private:
    Status move_to_page(size_t number);

    std::shared_ptr<const Segment> segment_;
    std::shared_ptr<const PrimaryKeyIndex> index_;
    std::shared_ptr<const SplitBlockFilter> filter_;
    std::shared_ptr<const LoadedKeyPage> page_;
    size_t page_number_ = 0;
    PrimaryKeyCursor cursor_;
};

}  // namespace thetis
