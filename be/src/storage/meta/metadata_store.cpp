// SPDX-License-Identifier: Apache-2.0
#include "storage/meta/metadata_store.h"

#include <rocksdb/db.h>
#include <rocksdb/options.h>
#include <rocksdb/write_batch.h>

#include "storage.pb.h"

namespace thetis {

namespace {

constexpr char kTabletPrefix = 't';
constexpr char kRowsetPrefix = 'r';
constexpr char kDeleteBitmapPrefix = 'd';
constexpr size_t kKeyHeadBytes = 1 + sizeof(uint64_t);
constexpr size_t kWriteBufferBytes = 8 << 20;
constexpr int kMaxLogFiles = 3;

std::string make_key(char prefix, int64_t tablet_id, std::string_view rest = {}) {
    const uint64_t ordered = __builtin_bswap64(static_cast<uint64_t>(tablet_id));
    std::string key(1, prefix);
    key.append(reinterpret_cast<const char*>(&ordered), sizeof(ordered));
    return key.append(rest);
}

std::string delete_bitmap_key(int64_t tablet_id, const std::string& rowset_id, int64_t version) {
    std::string key = make_key(kDeleteBitmapPrefix, tablet_id, rowset_id);
    const uint64_t ordered = __builtin_bswap64(static_cast<uint64_t>(version));
    return key.append(reinterpret_cast<const char*>(&ordered), sizeof(ordered));
}

/// The tablet id in a key of at least kKeyHeadBytes.
int64_t tablet_of(std::string_view key) {
    uint64_t ordered = 0;
    std::memcpy(&ordered, key.data() + 1, sizeof(ordered));
    return static_cast<int64_t>(__builtin_bswap64(ordered));
}

Status from_rocksdb(const rocksdb::Status& status, std::string_view action) {
    if (status.ok()) {
        return {};
    }
    const ErrorCode code = status.IsNoSpace()      ? ErrorCode::kDiskFull
                           : status.IsCorruption() ? ErrorCode::kCorruption
                                                   : ErrorCode::kIoError;
    return Status::error(code, "Cannot {} the metadata: {}", action, status.ToString());
}

}  // namespace

struct MetadataChange::Batch {
    rocksdb::WriteBatch updates;
};

MetadataChange::MetadataChange() : batch_(std::make_unique<Batch>()) {}

MetadataChange::~MetadataChange() = default;
MetadataChange::MetadataChange(MetadataChange&&) noexcept = default;

void MetadataChange::put_tablet(const TabletMeta& meta) {
    pb::TabletMeta message;
    message.set_tablet_id(meta.tablet_id);
    message.set_partition_id(meta.partition_id);
    message.set_replica_id(meta.replica_id);
    message.set_creation_time(meta.creation_time);
    message.set_schema_hash(meta.schema_hash);
    message.set_cumulative_point(meta.cumulative_point);
    message.set_is_shadow(meta.is_shadow);
    meta.schema->to_protobuf(*message.mutable_schema());
    batch_->updates.Put(make_key(kTabletPrefix, meta.tablet_id), message.SerializeAsString());
}

void MetadataChange::remove_tablet(int64_t tablet_id) {
    batch_->updates.Delete(make_key(kTabletPrefix, tablet_id));
    for (const char prefix : {kRowsetPrefix, kDeleteBitmapPrefix}) {
        batch_->updates.DeleteRange(make_key(prefix, tablet_id), make_key(prefix, tablet_id + 1));
    }
}

void MetadataChange::put_rowset(const RowsetMeta& meta) {
    pb::RowsetMeta message;
    meta.to_protobuf(message);
    batch_->updates.Put(
        make_key(kRowsetPrefix, meta.tablet_id, meta.rowset_id), message.SerializeAsString()
    );
}

void MetadataChange::remove_rowset(const Rowset& rowset) {
    const RowsetMeta& meta = rowset.meta();
    batch_->updates.Delete(make_key(kRowsetPrefix, meta.tablet_id, meta.rowset_id));
    for (const int64_t version : rowset.delete_bitmap().versions()) {
        remove_delete_bitmap(meta.tablet_id, meta.rowset_id, version);
    }
}

void MetadataChange::put_delete_bitmap(
    int64_t tablet_id, const std::string& rowset_id, int64_t version, const SegmentMarks& marks
) {
    batch_->updates.Put(delete_bitmap_key(tablet_id, rowset_id, version), encode_marks(marks));
}

void MetadataChange::remove_delete_bitmap(
    int64_t tablet_id, const std::string& rowset_id, int64_t version
) {
    batch_->updates.Delete(delete_bitmap_key(tablet_id, rowset_id, version));
}

struct MetadataStore::Database {
    std::unique_ptr<rocksdb::DB> handle;
};

MetadataStore::MetadataStore(std::unique_ptr<Database> database) : database_(std::move(database)) {}

MetadataStore::~MetadataStore() = default;

Result<std::unique_ptr<MetadataStore>> MetadataStore::open(const std::string& path) {
    rocksdb::Options options;
    options.create_if_missing = true;
    options.write_buffer_size = kWriteBufferBytes;
    options.keep_log_file_num = kMaxLogFiles;
    options.max_background_jobs = 2;
    options.info_log_level = rocksdb::WARN_LEVEL;
    // A torn last record of the log is what a crash leaves; anything else is corruption.
    options.wal_recovery_mode = rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords;
    rocksdb::DB* handle = nullptr;
    const rocksdb::Status status = rocksdb::DB::Open(options, path, &handle);
    if (!status.ok()) {
        return from_rocksdb(status, "open").with_context("{}", path);
    }
    auto database = std::make_unique<Database>();
    database->handle.reset(handle);
    return std::make_unique<MetadataStore>(std::move(database));
}

Status MetadataStore::apply(const MetadataChange& change, bool sync) {
    rocksdb::WriteOptions options;
    options.sync = sync;
    rocksdb::WriteBatch updates = change.batch().updates;
    return from_rocksdb(database_->handle->Write(options, &updates), "write");
}

namespace {

Result<TabletMeta> read_tablet(const rocksdb::Slice& value) {
    pb::TabletMeta message;
    if (!message.ParseFromArray(value.data(), static_cast<int>(value.size()))) {
        return Status::error(
            ErrorCode::kCorruption, "Unreadable metadata of a tablet, {} bytes", value.size()
        );
    }
    TabletMeta meta{
        .tablet_id = message.tablet_id(),
        .partition_id = message.partition_id(),
        .replica_id = message.replica_id(),
        .schema = nullptr,
        .creation_time = message.creation_time(),
        .schema_hash = message.schema_hash(),
        .cumulative_point = message.cumulative_point(),
        .is_shadow = message.is_shadow()
    };
    ASSIGN_OR_RETURN(meta.schema, TabletSchema::from_protobuf(message.schema()));
    return meta;
}

Result<RowsetMeta> read_rowset(const rocksdb::Slice& value) {
    pb::RowsetMeta message;
    if (!message.ParseFromArray(value.data(), static_cast<int>(value.size()))) {
        return Status::error(
            ErrorCode::kCorruption, "Unreadable metadata of a rowset, {} bytes", value.size()
        );
    }
    return RowsetMeta::from_protobuf(message);
}

MetadataStore::StoredDeleteBitmap parse_delete_bitmap_key(std::string_view key) {
    MetadataStore::StoredDeleteBitmap stored;
    stored.tablet_id = tablet_of(key);
    stored.rowset_id = key.substr(kKeyHeadBytes, key.size() - kKeyHeadBytes - sizeof(uint64_t));
    uint64_t ordered = 0;
    std::memcpy(&ordered, key.data() + key.size() - sizeof(ordered), sizeof(ordered));
    stored.version = static_cast<int64_t>(__builtin_bswap64(ordered));
    return stored;
}

/// One entry into its list, or into the damaged ones.
void read_entry(std::string_view key, const rocksdb::Slice& value, MetadataStore::Contents& into) {
    if (key.size() < kKeyHeadBytes) {
        return;
    }
    MetadataStore::Damage damage{.tablet_id = tablet_of(key)};
    if (key.size() == kKeyHeadBytes && key.front() == kTabletPrefix) {
        auto meta = read_tablet(value);
        if (meta.ok()) {
            into.tablets.push_back(meta.take());
        } else {
            damage.reason = meta.status();
        }
    } else if (key.size() > kKeyHeadBytes && key.front() == kRowsetPrefix) {
        auto meta = read_rowset(value);
        if (meta.ok()) {
            into.rowsets.push_back(meta.take());
        } else {
            damage.reason = meta.status();
        }
    } else if (key.size() > kKeyHeadBytes + sizeof(uint64_t) &&
               key.front() == kDeleteBitmapPrefix) {
        MetadataStore::StoredDeleteBitmap stored = parse_delete_bitmap_key(key);
        auto marks = decode_marks({value.data(), value.size()});
        if (marks.ok()) {
            stored.marks = marks.take();
            into.delete_bitmaps.push_back(std::move(stored));
        } else {
            damage.rowset_id = stored.rowset_id;
            damage.reason = marks.status().with_context(
                "Rowset {}, version {}", stored.rowset_id, stored.version
            );
        }
    }
    if (!damage.reason.ok()) {
        into.damaged.push_back(std::move(damage));
    }
}

}  // namespace

Result<MetadataStore::Contents> MetadataStore::load() const {
    Contents contents;
    std::unique_ptr<rocksdb::Iterator> entries(database_->handle->NewIterator(rocksdb::ReadOptions()
    ));
    for (entries->SeekToFirst(); entries->Valid(); entries->Next()) {
        read_entry({entries->key().data(), entries->key().size()}, entries->value(), contents);
    }
    RETURN_IF_ERROR(from_rocksdb(entries->status(), "read"));
    return contents;
}

}  // namespace thetis
