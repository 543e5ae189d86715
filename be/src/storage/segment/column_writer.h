// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/status.h"
#include "column/builder.h"
#include "io/codec/codec.h"
#include "storage/encoding_registry.h"
#include "storage/index/bloom_filter.h"
#include "storage/predicate/zone_map.h"
#include "storage/segment/dictionary_builder.h"
#include "storage/segment/page_format.h"
#include "storage/tablet_schema.h"

namespace thetis {

namespace pb {
class ColumnIndex;
class SegmentColumn;
}  // namespace pb

/// Turns the rows of one column into pages, kept in memory until the segment takes them. Chooses
/// the encoding by what the first pages show: strings get a dictionary while few values repeat, and
/// plain pages from where it stops paying. Not thread-safe.
class ColumnWriter {
public:
    /// `bloom_filter_fpp`: rate of false positives, for columns that have a bloom filter.
    ColumnWriter(
        const SchemaColumn& column, Compression compression, double bloom_filter_fpp = 0.05
    );
    ~ColumnWriter();

    /// Any form, any number of rows.
    Status append(const ColumnPtr& column);

    /// Writes the rest, the dictionary and the column index. `file_offset` is where bytes() will
    /// begin in the file.
    Status finish(uint64_t file_offset, pb::SegmentColumn& meta);

    const std::vector<uint8_t>& bytes() const { return bytes_; }

    /// Every 1024th value, for the short-key index; only when asked for before the first append.
    void sample_short_keys() { is_sampling_ = true; }

    ColumnPtr take_samples() { return samples_.finish(); }

private:
    Status write_pending(uint32_t num_rows);
    Status write_rows(const ColumnPtr& column);
    Status write_strings(const ColumnPtr& column);
    bool try_dictionary(const ColumnPtr& column, Status& status);
    Status write_reals(const ColumnPtr& column);
    Status write_page(
        PageKind kind,
        EncodingId encoding,
        const Column& values,
        const ColumnPtr& rows,
        const ZoneMap& zone
    );
    Status write_page(
        PageKind kind, EncodingId encoding, const ColumnPtr& rows, std::span<const uint8_t> raw
    );
    static std::vector<uint8_t> validity_of(const Column& rows, const ZoneMap& zone);
    ZoneMap describe(const Column& values, bool has_other_nulls = false);
    void sample(const ColumnPtr& column);

    const SchemaColumn column_;
    const Compression compression_;
    std::vector<ColumnPtr> pending_;
    uint32_t pending_rows_ = 0;
    uint64_t num_rows_ = 0;
    std::vector<uint8_t> bytes_;
    std::unique_ptr<pb::ColumnIndex> index_;
    ZoneMapBuilder zones_;
    PageBloomFilterBuilder bloom_filters_;
    DictionaryBuilder dictionary_;
    bool use_dictionary_;
    EncodingId real_encoding_ = EncodingId::kDecimalFloat;  // Of the last page of floating point.
    bool is_sampling_ = false;
    ColumnBuilder samples_;
};

}  // namespace thetis
