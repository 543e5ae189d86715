// SPDX-License-Identifier: Apache-2.0
#include "storage/segment/segment.h"

#include "base/hash.h"
#include "base/memory/tracker.h"
#include "storage.pb.h"
#include "storage/schema_codec.h"
#include "storage/segment/page_format.h"
#include "storage/segment/primary_key_index.h"

namespace thetis {

namespace {

// Tells files apart in the page cache. Only uniqueness matters, so relaxed ordering is enough.
std::atomic<uint64_t> next_file_id{1};

Result<std::unique_ptr<pb::SegmentFooter>> read_footer(const RandomAccessFile& file) {
    const auto corrupt = [&](std::string_view what) {
        return Status::error(
            ErrorCode::kCorruption,
            "{} in segment file of {} bytes: {}",
            what,
            file.size(),
            file.path()
        );
    };
    if (file.size() < sizeof(kSegmentMagic) + kSegmentTailBytes) {
        return corrupt("Too few bytes");
    }
    uint8_t head[sizeof(kSegmentMagic)];
    uint8_t tail[kSegmentTailBytes];
    RETURN_IF_ERROR(file.read(0, head));
    RETURN_IF_ERROR(file.read(file.size() - kSegmentTailBytes, tail));
    if (std::memcmp(head, &kSegmentMagic, sizeof(head)) != 0 ||
        std::memcmp(tail + 8, &kSegmentMagic, 8) != 0) {
        return corrupt("Wrong magic bytes");
    }
    uint32_t size;
    uint32_t checksum;
    std::memcpy(&size, tail, 4);
    std::memcpy(&checksum, tail + 4, 4);
    if (size > file.size() - sizeof(kSegmentMagic) - kSegmentTailBytes) {
        return corrupt("Impossible footer size");
    }
    std::string bytes(size, '\0');
    RETURN_IF_ERROR(file.read(
        file.size() - kSegmentTailBytes - size, {reinterpret_cast<uint8_t*>(bytes.data()), size}
    ));
    if (crc32c(crc32c(0, bytes.data(), size), &size, sizeof(size)) != checksum) {
        return corrupt("Checksum mismatch of the footer");
    }
    auto footer = std::make_unique<pb::SegmentFooter>();
    if (!footer->ParseFromString(bytes)) {
        return corrupt("Unreadable footer");
    }
    if (footer->format_version() != kSegmentFormatVersion) {
        return Status::error(
            ErrorCode::kNotSupported,
            "Segment format {} is not known: {}",
            footer->format_version(),
            file.path()
        );
    }
    return footer;
}

}  // namespace

uint32_t ColumnPages::page_of(uint32_t row) const {
    return static_cast<uint32_t>(
               std::upper_bound(first_rows.begin(), first_rows.end(), row) - first_rows.begin()
           ) -
           1;
}

Result<std::shared_ptr<const Segment>> Segment::open(
    const FileSystem& fs,
    const std::string& path,
    PageCache* cache,
    const SegmentOpenOptions& options
) {
    ASSIGN_OR_RETURN(auto file, fs.open(path));
    ASSIGN_OR_RETURN(auto footer, read_footer(*file));
    auto segment = std::make_shared<Segment>(std::move(file), std::move(footer), cache, options);
    RETURN_IF_ERROR(segment->prepare().with_context("Segment {}", path));
    return std::shared_ptr<const Segment>(std::move(segment));
}

Segment::Segment(
    std::unique_ptr<RandomAccessFile> file,
    std::unique_ptr<pb::SegmentFooter> footer,
    PageCache* cache,
    const SegmentOpenOptions& options
)
    : file_(std::move(file)),
      footer_(std::move(footer)),
      cache_(cache),
      file_id_(options.file_id != 0 ? options.file_id : new_file_ids(1)),
      open_segments_(options.open_segments) {
    if (open_segments_ != nullptr) {
        open_segments_->add(1);
    }
}

Segment::~Segment() {
    if (open_segments_ != nullptr) {
        open_segments_->add(-1);
    }
}

uint64_t Segment::new_file_ids(size_t count) {
    return next_file_id.fetch_add(count, std::memory_order_relaxed);
}

std::shared_ptr<MemoryTracker> Segment::cache_memory() const {
    return cache_ == nullptr ? nullptr : cache_->memory();
}

Status Segment::prepare() {
    if (footer_->num_rows() > UINT32_MAX - kPageRows) {
        return Status::error(
            ErrorCode::kCorruption, "Impossible number of rows: {}", footer_->num_rows()
        );
    }
    num_rows_ = static_cast<uint32_t>(footer_->num_rows());
    for (const pb::SegmentColumn& column : footer_->columns()) {
        ColumnEntry entry;
        ASSIGN_OR_RETURN(entry.type, type_from_protobuf(column.type()));
        if (!positions_.emplace(column.unique_id(), columns_.size()).second) {
            return Status::error(
                ErrorCode::kCorruption, "Two columns of unique id {}", column.unique_id()
            );
        }
        if (columns_.size() < footer_->num_short_key_columns()) {
            short_key_columns_.push_back(column.unique_id());
            short_key_types_.push_back(entry.type);
        }
        columns_.push_back(std::move(entry));
    }
    return {};
}

Result<const ZoneMap*> Segment::zone_map(int32_t unique_id) const {
    const size_t position = positions_.at(unique_id);
    MutexLock lock(mutex_);
    ColumnEntry& entry = columns_[position];
    if (entry.zone_map == nullptr) {
        MemoryScope scope(cache_memory());
        auto zone = ZoneMap::from_protobuf(
            entry.type, footer_->columns(static_cast<int>(position)).zone_map()
        );
        RETURN_IF_ERROR(zone.status().with_context("Segment {}", path()));
        entry.zone_map = std::make_unique<const ZoneMap>(zone.take());
    }
    return entry.zone_map.get();
}

Result<std::span<const ZoneMap>> Segment::page_zone_maps(const ColumnPages& column) const {
    MemoryScope scope(cache_memory());
    auto maps = column.zone_maps->get();
    RETURN_IF_ERROR(maps.status().with_context("Segment {}", path()));
    return maps;
}

Result<std::shared_ptr<const ColumnPages>> Segment::column(int32_t unique_id) const {
    auto found = positions_.find(unique_id);
    if (found == positions_.end()) {
        return Status::error(
            ErrorCode::kNotFound, "No column of unique id {} in {}", unique_id, path()
        );
    }
    {
        MutexLock lock(mutex_);
        if (columns_[found->second].pages != nullptr) {
            return columns_[found->second].pages;
        }
    }
    // Two readers may load it at once; one result is kept.
    MemoryScope scope(cache_memory());
    ASSIGN_OR_RETURN(auto pages, load_column(found->second));
    MutexLock lock(mutex_);
    auto& kept = columns_[found->second].pages;
    kept = kept == nullptr ? std::move(pages) : kept;
    return kept;
}

Result<std::shared_ptr<const ColumnPages>> Segment::load_column(size_t position) const {
    const pb::SegmentColumn& meta = footer_->columns(static_cast<int>(position));
    PageHeader header;
    ASSIGN_OR_RETURN(
        BufferPtr raw,
        read_page_bytes(
            *file_,
            meta.index().offset(),
            meta.index().size(),
            PageKind::kColumnIndex,
            meta.unique_id(),
            0,
            header
        )
    );
    const auto corrupt = [&] {
        return Status::error(
            ErrorCode::kCorruption,
            "Inconsistent index of column {} in {}",
            meta.unique_id(),
            path()
        );
    };
    pb::ColumnIndex index;
    if (!index.ParseFromArray(raw->data(), static_cast<int>(raw->size()))) {
        return corrupt();
    }
    const int count = index.offset_size();
    if (index.size_size() != count || index.num_rows_size() != count ||
        index.zone_maps_size() != count) {
        return corrupt();
    }
    auto pages = std::make_shared<ColumnPages>();
    pages->unique_id = meta.unique_id();
    pages->has_bloom_filter = meta.has_bloom_filter();
    pages->type = columns_[position].type;
    uint64_t row = 0;
    for (int i = 0; i < count; ++i) {
        if (index.num_rows(i) == 0) {
            return corrupt();
        }
        pages->first_rows.push_back(static_cast<uint32_t>(row));
        pages->offsets.push_back(index.offset(i));
        pages->sizes.push_back(index.size(i));
        row += index.num_rows(i);
        if (row > num_rows_) {
            return corrupt();
        }
    }
    if (row != num_rows_) {
        return corrupt();
    }
    pages->first_rows.push_back(num_rows_);
    pages->zone_maps = std::make_unique<const PageZoneMaps>(pages->type, std::move(index));
    if (meta.has_dictionary()) {
        ASSIGN_OR_RETURN(
            pages->dictionary,
            load_strings(
                pages->type,
                meta.dictionary().offset(),
                meta.dictionary().size(),
                static_cast<int>(PageKind::kDictionary),
                meta.unique_id()
            )
        );
        if (pages->dictionary->size() != meta.dictionary_entries()) {
            return corrupt();
        }
    }
    return std::shared_ptr<const ColumnPages>(std::move(pages));
}

Result<ColumnPtr> Segment::load_strings(
    const DataType& type, uint64_t offset, uint32_t size_bytes, int kind, int32_t unique_id
) const {
    PageHeader header;
    ASSIGN_OR_RETURN(
        BufferPtr raw,
        read_page_bytes(
            *file_, offset, size_bytes, static_cast<PageKind>(kind), unique_id, 0, header
        )
    );
    const Encoding* encoding =
        EncodingRegistry::built_in().find(header.encoding, PhysicalType::kString);
    if (encoding == nullptr || !type.is_string()) {
        return Status::error(
            ErrorCode::kCorruption, "Page at offset {} of {} does not hold strings", offset, path()
        );
    }
    ASSIGN_OR_RETURN(
        auto decoder,
        encoding->open(PhysicalType::kString, header.num_rows, {raw->data(), raw->size()})
    );
    auto values = Buffer::allocate(header.num_rows * sizeof(StringRef));
    decoder->decode(0, header.num_rows, values->data());
    DataType entry_type = type;
    entry_type.nullable = false;
    return Column::flat(entry_type, header.num_rows, std::move(values), nullptr, {std::move(raw)});
}

Result<std::shared_ptr<const DataPage>> Segment::read_page(
    const ColumnPages& column, uint32_t page, PageReadCounts& counts, bool use_cache
) const {
    const PageCache::Key key{.file_id = file_id_, .offset = column.offsets[page]};
    ++counts.pages;
    if (cache_ != nullptr && use_cache) {
        if (CachedPagePtr cached = cache_->find(key)) {
            return std::static_pointer_cast<const DataPage>(cached);
        }
    }
    MemoryScope scope(cache_memory()
    );  // Pages belong to the cache, not to the query that happens to read them.
    PageHeader header;
    ASSIGN_OR_RETURN(
        BufferPtr raw,
        read_page_bytes(
            *file_,
            column.offsets[page],
            column.sizes[page],
            PageKind::kData,
            column.unique_id,
            page,
            header
        )
    );
    ++counts.pages_from_disk;
    counts.bytes_from_disk += column.sizes[page];
    const auto corrupt = [&](std::string_view what) {
        return Status::error(
            ErrorCode::kCorruption,
            "{} in page at offset {} of {}",
            what,
            column.offsets[page],
            path()
        );
    };
    if (header.num_rows != column.first_rows[page + 1] - column.first_rows[page]) {
        return corrupt("Wrong number of rows");
    }
    const bool holds_codes = header.kind == PageKind::kDictionaryCodes;
    const PhysicalType type = holds_codes ? PhysicalType::kInt32 : column.type.physical();
    const Encoding* encoding = EncodingRegistry::built_in().find(header.encoding, type);
    if (encoding == nullptr || (holds_codes && column.dictionary == nullptr)) {
        return corrupt("Unknown encoding");
    }
    const size_t validity_bytes =
        header.has_validity != 0 ? validity::num_words(header.num_rows) * sizeof(uint64_t) : 0;
    auto decoder = encoding->open(
        type, header.num_rows, {raw->data() + validity_bytes, raw->size() - validity_bytes}
    );
    if (!decoder.ok()) {
        return decoder.status().with_context(
            "Page at offset {} of {}", column.offsets[page], path()
        );
    }
    if (holds_codes) {
        std::vector<uint32_t> codes(header.num_rows);
        (*decoder)->decode(0, header.num_rows, codes.data());
        if (*std::max_element(codes.begin(), codes.end()) >= column.dictionary->size()) {
            return corrupt("Code beyond the dictionary");
        }
    }
    auto result = std::make_shared<const DataPage>(
        std::move(raw), header.num_rows, header.has_validity != 0, holds_codes, decoder.take()
    );
    if (cache_ != nullptr && use_cache) {
        cache_->insert(key, result);
    }
    return result;
}

Result<std::shared_ptr<const PageBloomFilters>> Segment::bloom_filters(int32_t unique_id) const {
    ASSIGN_OR_RETURN(const auto pages, column(unique_id));
    const pb::PagePointer& pointer =
        footer_->columns(static_cast<int>(positions_.at(unique_id))).bloom_filter();
    const PageCache::Key key{.file_id = file_id_, .offset = pointer.offset()};
    if (cache_ != nullptr) {
        if (CachedPagePtr cached = cache_->find(key)) {
            return std::static_pointer_cast<const PageBloomFilters>(cached);
        }
    }
    MemoryScope scope(cache_memory());
    PageHeader header;
    ASSIGN_OR_RETURN(
        BufferPtr body,
        read_page_bytes(
            *file_, pointer.offset(), pointer.size(), PageKind::kBloomFilter, unique_id, 0, header
        )
    );
    auto filters = PageBloomFilters::open(
        {body->data(), body->size()}, static_cast<uint32_t>(pages->num_pages())
    );
    if (!filters.ok()) {
        return filters.status().with_context("Page at offset {} of {}", pointer.offset(), path());
    }
    if (cache_ != nullptr) {
        cache_->insert(key, *filters);
    }
    return filters.take();
}

bool Segment::is_sorted() const {
    return footer_->sorted();
}

Result<std::shared_ptr<const ShortKeyIndex>> Segment::short_key_index() const {
    if (!footer_->has_short_key_index()) {
        return std::shared_ptr<const ShortKeyIndex>();
    }
    {
        MutexLock lock(mutex_);
        if (short_keys_ != nullptr) {
            return short_keys_;
        }
    }
    MemoryScope scope(cache_memory());
    ASSIGN_OR_RETURN(
        ColumnPtr entries,
        load_strings(
            DataType::varchar(),
            footer_->short_key_index().offset(),
            footer_->short_key_index().size(),
            static_cast<int>(PageKind::kShortKeys),
            0
        )
    );
    auto opened = ShortKeyIndex::open(std::move(entries), num_rows_, short_key_types_);
    if (!opened.ok()) {
        return opened.status().with_context("Segment {}", path());
    }
    MutexLock lock(mutex_);
    short_keys_ =
        short_keys_ == nullptr ? std::shared_ptr<const ShortKeyIndex>(opened.take()) : short_keys_;
    return short_keys_;
}

Result<std::shared_ptr<const PrimaryKeyIndex>> Segment::primary_key_index() const {
    if (!footer_->has_primary_key_index()) {
        return std::shared_ptr<const PrimaryKeyIndex>();
    }
    {
        MutexLock lock(mutex_);
        if (primary_keys_ != nullptr) {
            return primary_keys_;
        }
    }
    MemoryScope scope(cache_memory());
    ASSIGN_OR_RETURN(
        std::shared_ptr<const PrimaryKeyIndex> opened,
        PrimaryKeyIndex::open(*file_, footer_->primary_key_index(), num_rows_, cache_, file_id_)
    );
    MutexLock lock(mutex_);
    primary_keys_ = primary_keys_ == nullptr ? std::move(opened) : primary_keys_;
    return primary_keys_;
}

}  // namespace thetis
