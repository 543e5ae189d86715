// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "column/sort_key.h"
#include "io/codec/codec.h"
#include "storage/index/primary_key_page.h"
#include "storage/tablet_schema.h"

namespace thetis {

namespace pb {
class PrimaryKeyIndex;
class PrimaryKeyPages;
}  // namespace pb

/// Encodes the keys of a table: the key columns in order, ascending, nulls first. The one encoding
/// of full keys, for indexes, bounds and look-ups.
SortKeyEncoder make_key_encoder(const TabletSchema& schema);
/// Followed by the sequence column where the table has one.
SortKeyEncoder make_sequenced_key_encoder(const TabletSchema& schema);
/// Bytes that the sequence takes at the end of such a key.
uint32_t sequence_key_bytes(const TabletSchema& schema);

/// Builds the primary-key index of one segment: pages of ascending keys and a filter over them. Not
/// thread-safe.
class PrimaryKeyWriter {
public:
    PrimaryKeyWriter(Compression compression, uint32_t sequence_bytes);
    ~PrimaryKeyWriter();

    /// Keys of the next rows, with the sequence; internal error unless they ascend.
    Status add(const SortKeys& keys);

    /// What is missing. `file_offset` is where bytes() will begin in the file.
    Status finish(uint64_t file_offset, pb::PrimaryKeyIndex& meta);

    const std::vector<uint8_t>& bytes() const { return bytes_; }

    uint64_t num_keys() const { return hashes_.size(); }

private:
    Status write_page();

    const Compression compression_;
    const uint32_t sequence_bytes_;
    PrimaryKeyPageBuilder page_;
    std::unique_ptr<pb::PrimaryKeyPages> pages_;
    std::vector<uint64_t> hashes_;
    std::string first_;
    std::string last_;
    std::vector<uint8_t> bytes_;
};

}  // namespace thetis
