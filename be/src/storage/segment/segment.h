// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/metrics.h"
#include "base/status.h"
#include "base/thread/mutex.h"
#include "io/cache/page_cache.h"
#include "io/fs/file_system.h"
#include "storage/encoding_registry.h"
#include "storage/index/bloom_filter.h"
#include "storage/index/short_key_index.h"
#include "storage/predicate/zone_map.h"

namespace thetis {

namespace pb {
class SegmentFooter;
}

class PrimaryKeyIndex;

/// What reading pages cost.
struct PageReadCounts {
    int64_t pages = 0;
    int64_t pages_from_disk = 0;
    int64_t bytes_from_disk = 0;
};

/// A page of values, decompressed and checked, ready to decode. Immutable; lives in the page cache
/// and with its readers.
class DataPage final : public CachedPage {
public:
    DataPage(
        BufferPtr raw,
        uint32_t num_rows,
        bool has_validity,
        bool holds_codes,
        std::unique_ptr<PageDecoder> decoder
    )
        : raw_(std::move(raw)),
          num_rows_(num_rows),
          has_validity_(has_validity),
          holds_codes_(holds_codes),
          decoder_(std::move(decoder)) {}

    size_t memory_bytes() const override { return raw_->size() + sizeof(*this); }

    uint32_t num_rows() const { return num_rows_; }

    /// Values are 32-bit codes into the column's dictionary.
    bool holds_codes() const { return holds_codes_; }

    /// Null when every row is valid.
    const uint64_t* valid_words() const { return has_validity_ ? raw_->as<uint64_t>() : nullptr; }

    const PageDecoder& decoder() const { return *decoder_; }

    /// What strings of the page point into.
    const BufferPtr& raw() const { return raw_; }

private:
    const BufferPtr raw_;
    const uint32_t num_rows_;
    const bool has_validity_;
    const bool holds_codes_;
    const std::unique_ptr<PageDecoder> decoder_;
};

/// Where the pages of a column are.
struct ColumnPages {
    int32_t unique_id = 0;
    DataType type;
    std::vector<uint32_t> first_rows;  ///< One more than pages: the last is the number of rows.
    std::vector<uint64_t> offsets;
    std::vector<uint32_t> sizes;
    std::unique_ptr<const PageZoneMaps> zone_maps;  ///< See Segment::page_zone_maps.
    ColumnPtr dictionary;                           ///< Null pointer: none.
    bool has_bloom_filter = false;

    size_t num_pages() const { return offsets.size(); }

    uint32_t page_of(uint32_t row) const;
};

struct SegmentOpenOptions {
    /// Of Segment::new_file_ids, the same whenever this file is opened: pages that the page cache
    /// kept are found again. 0: another one each time.
    uint64_t file_id = 0;
    std::shared_ptr<Gauge> open_segments;  ///< Has one more until the segment goes; may be null.
};

/// An open, immutable segment file. Thread-safe; shared by all that read it. The footer is read at
/// open; zone maps, column indexes and dictionaries on first use.
class Segment {
public:
    /// `cache` may be null and outlives the segment.
    static Result<std::shared_ptr<const Segment>> open(
        const FileSystem& fs,
        const std::string& path,
        PageCache* cache,
        const SegmentOpenOptions& options = {}
    );
    ~Segment();

    /// The first of `count` numbers, one after another, that no other file has.
    static uint64_t new_file_ids(size_t count);

    uint32_t num_rows() const { return num_rows_; }

    /// Whether rows ascend by the key columns.
    bool is_sorted() const;

    const std::string& path() const { return file_->path(); }

    bool has_column(int32_t unique_id) const { return positions_.contains(unique_id); }

    /// Of the whole segment, and lives as long as that; has_column must hold. Corruption when what
    /// was stored is no value of the type.
    Result<const ZoneMap*> zone_map(int32_t unique_id) const;

    /// As written; has_column must hold.
    const DataType& column_type(int32_t unique_id) const {
        return columns_[positions_.at(unique_id)].type;
    }

    Result<std::shared_ptr<const ColumnPages>> column(int32_t unique_id) const;
    /// Of a column of this segment, one per page; live as long as `column`.
    Result<std::span<const ZoneMap>> page_zone_maps(const ColumnPages& column) const;
    Result<std::shared_ptr<const DataPage>> read_page(
        const ColumnPages& column, uint32_t page, PageReadCounts& counts, bool use_cache = true
    ) const;

    /// Of a column whose pages say that it has them.
    Result<std::shared_ptr<const PageBloomFilters>> bloom_filters(int32_t unique_id) const;

    /// Null when there is none.
    Result<std::shared_ptr<const ShortKeyIndex>> short_key_index() const;

    /// Merge-on-write; null when there is none. Lives in the segment: hold that, or use
    /// PrimaryKeyReader.
    Result<std::shared_ptr<const PrimaryKeyIndex>> primary_key_index() const;

    /// Unique ids of the columns the short-key index is over.
    const std::vector<int32_t>& short_key_columns() const { return short_key_columns_; }

    /// Use open().
    Segment(
        std::unique_ptr<RandomAccessFile> file,
        std::unique_ptr<pb::SegmentFooter> footer,
        PageCache* cache,
        const SegmentOpenOptions& options
    );

private:
    struct ColumnEntry {
        DataType type;
        // Both guarded by mutex_, null until first use, and unchanged from then on.
        std::unique_ptr<const ZoneMap> zone_map{};
        std::shared_ptr<const ColumnPages> pages{};
    };

    Status prepare();
    std::shared_ptr<MemoryTracker> cache_memory() const;
    Result<std::shared_ptr<const ColumnPages>> load_column(size_t position) const;
    Result<ColumnPtr> load_strings(
        const DataType& type, uint64_t offset, uint32_t size_bytes, int kind, int32_t unique_id
    ) const;

    const std::unique_ptr<RandomAccessFile> file_;
    const std::unique_ptr<pb::SegmentFooter> footer_;
    PageCache* const cache_;
    const uint64_t file_id_;
    const std::shared_ptr<Gauge> open_segments_;
    uint32_t num_rows_ = 0;
    std::unordered_map<int32_t, size_t> positions_;
    std::vector<int32_t> short_key_columns_;
    std::vector<DataType> short_key_types_;
    mutable Mutex mutex_;  // Guards what is loaded on first use; not held while reading.
    mutable std::vector<ColumnEntry> columns_;
    mutable std::shared_ptr<const ShortKeyIndex> short_keys_ GUARDED_BY(mutex_);
    mutable std::shared_ptr<const PrimaryKeyIndex> primary_keys_ GUARDED_BY(mutex_);
};

}  // namespace thetis
