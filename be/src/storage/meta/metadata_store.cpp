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
constexpr size_t kKeyHeadBytes = 1 + sizeof(uint64_t);
constexpr size_t kWriteBufferBytes = 8 << 20;
constexpr int kMaxLogFiles = 3;

std::string make_key(char prefix, int64_t tablet_id, std::string_view rest = {}) {
    const uint64_t ordered = __builtin_bswap64(static_cast<uint64_t>(tablet_id));
    std::string key(1, prefix);
    key.append(reinterpret_cast<const char*>(&ordered), sizeof(ordered));
    return key.append(rest);
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
    meta.schema->to_protobuf(*message.mutable_schema());
    batch_->updates.Put(make_key(kTabletPrefix, meta.tablet_id), message.SerializeAsString());
}

void MetadataChange::remove_tablet(int64_t tablet_id, std::span<const std::string> rowset_ids) {
    batch_->updates.Delete(make_key(kTabletPrefix, tablet_id));
    for (const std::string& rowset_id : rowset_ids) {
        remove_rowset(tablet_id, rowset_id);
    }
}

void MetadataChange::put_rowset(const RowsetMeta& meta) {
    pb::RowsetMeta message;
    meta.to_protobuf(message);
    batch_->updates.Put(
        make_key(kRowsetPrefix, meta.tablet_id, meta.rowset_id), message.SerializeAsString()
    );
}

void MetadataChange::remove_rowset(int64_t tablet_id, const std::string& rowset_id) {
    batch_->updates.Delete(make_key(kRowsetPrefix, tablet_id, rowset_id));
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

Result<MetadataStore::Contents> MetadataStore::load() const {
    Contents contents;
    std::unique_ptr<rocksdb::Iterator> entries(database_->handle->NewIterator(rocksdb::ReadOptions()
    ));
    for (entries->SeekToFirst(); entries->Valid(); entries->Next()) {
        const std::string_view key(entries->key().data(), entries->key().size());
        const int size = static_cast<int>(entries->value().size());
        const auto unreadable = [&] {
            return Status::error(
                ErrorCode::kCorruption,
                "Unreadable metadata of {} bytes, kind {}",
                size,
                key.substr(0, 1)
            );
        };
        if (key.size() == kKeyHeadBytes && key.front() == kTabletPrefix) {
            pb::TabletMeta message;
            if (!message.ParseFromArray(entries->value().data(), size)) {
                return unreadable();
            }
            TabletMeta meta{
                .tablet_id = message.tablet_id(),
                .partition_id = message.partition_id(),
                .replica_id = message.replica_id(),
                .schema = nullptr,
                .creation_time = message.creation_time(),
                .schema_hash = message.schema_hash()
            };
            ASSIGN_OR_RETURN(meta.schema, TabletSchema::from_protobuf(message.schema()));
            contents.tablets.push_back(std::move(meta));
        } else if (key.size() > kKeyHeadBytes && key.front() == kRowsetPrefix) {
            pb::RowsetMeta message;
            if (!message.ParseFromArray(entries->value().data(), size)) {
                return unreadable();
            }
            ASSIGN_OR_RETURN(auto meta, RowsetMeta::from_protobuf(message));
            contents.rowsets.push_back(std::move(meta));
        }
    }
    RETURN_IF_ERROR(from_rocksdb(entries->status(), "read"));
    return contents;
}

}  // namespace thetis
