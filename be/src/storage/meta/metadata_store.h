// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "storage/rowset/rowset.h"
#include "storage/tablet_schema.h"

namespace thetis {

/// What is recorded of a tablet beside its rowsets. A plain value.
struct TabletMeta {
    int64_t tablet_id = 0;
    int64_t partition_id = 0;
    int64_t replica_id = 0;
    TabletSchemaPtr schema;
    int64_t creation_time = 0;  ///< Seconds since 1970.
    uint32_t schema_hash = 0;   ///< Directory level; stays what it was when the schema changes.
    int64_t cumulative_point =
        0;  ///< Rowsets that start below it are base compaction's; 0: not chosen yet.
    bool is_shadow = false;  ///< Of a schema change: versions may come before its history.
};

/// Changes that take effect together or not at all.
class MetadataChange {
public:
    MetadataChange();
    ~MetadataChange();
    MetadataChange(MetadataChange&&) noexcept;

    void put_tablet(const TabletMeta& meta);
    /// The tablet and all that is recorded of its rowsets, readable or not.
    void remove_tablet(int64_t tablet_id);
    void put_rowset(const RowsetMeta& meta);
    /// With its delete bitmaps.
    void remove_rowset(const Rowset& rowset);
    /// What `version` marks in a rowset; replaces what is recorded of it.
    void put_delete_bitmap(
        int64_t tablet_id, const std::string& rowset_id, int64_t version, const SegmentMarks& marks
    );
    void remove_delete_bitmap(int64_t tablet_id, const std::string& rowset_id, int64_t version);

    struct Batch;

    const Batch& batch() const { return *batch_; }

private:
    std::unique_ptr<Batch> batch_;
};

/// The metadata of one data directory, in RocksDB. Keys: `t` and the tablet id (8 bytes big-endian)
/// for tablets; `r`, tablet id and rowset id for rowsets; `d`, tablet id, rowset id and version for
/// delete bitmaps. Values are protobuf; docs/formats/delete_bitmap.md. Thread-safe.
class MetadataStore {
public:
    static Result<std::unique_ptr<MetadataStore>> open(const std::string& path);
    ~MetadataStore();

    /// `sync`: durable against a power cut when it returns; otherwise only against the end of the
    /// process.
    Status apply(const MetadataChange& change, bool sync);

    struct StoredDeleteBitmap {
        int64_t tablet_id = 0;
        std::string rowset_id;
        int64_t version = 0;
        SegmentMarks marks;
    };

    /// An entry that cannot be read, and whose it is.
    struct Damage {
        int64_t tablet_id = 0;
        std::string rowset_id{};  ///< Empty: of the tablet or a rowset itself.
        Status reason{};
    };

    struct Contents {
        std::vector<TabletMeta> tablets;
        std::vector<RowsetMeta> rowsets;
        std::vector<StoredDeleteBitmap> delete_bitmaps;
        std::vector<Damage> damaged;
    };

    /// Everything, in one pass. An entry with wrong bytes is one of `damaged` and no error: the
    /// others stand for themselves.
    Result<Contents> load() const;

    struct Database;
    /// Use open().
    explicit MetadataStore(std::unique_ptr<Database> database);

private:
    const std::unique_ptr<Database> database_;
};

}  // namespace thetis
