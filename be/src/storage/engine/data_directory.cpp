// SPDX-License-Identifier: Apache-2.0
#include "storage/engine/data_directory.h"

#include <charconv>

#include "base/logging.h"

namespace thetis {

namespace {

constexpr int64_t kNumShards = 1024;

std::optional<int64_t> parse_number(std::string_view text) {
    int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value)
                                                                    : std::nullopt;
}

}  // namespace

DataDirectory::DataDirectory(
    StoragePath path, std::shared_ptr<const FileSystem> fs, std::unique_ptr<MetadataStore> metadata
)
    : path_(std::move(path)), fs_(std::move(fs)), metadata_(std::move(metadata)) {}

Result<std::unique_ptr<DataDirectory>> DataDirectory::open(
    const StoragePath& path, std::shared_ptr<const FileSystem> fs
) {
    for (const char* name : {"data", "meta", "trash"}) {
        RETURN_IF_ERROR(fs->create_directories(path.path + "/" + name));
    }
    ASSIGN_OR_RETURN(auto metadata, MetadataStore::open(path.path + "/meta"));
    return std::make_unique<DataDirectory>(path, std::move(fs), std::move(metadata));
}

std::string DataDirectory::tablet_root(int64_t tablet_id) const {
    return fmt::format(
        "{}/data/{}/{}", path_.path, static_cast<uint64_t>(tablet_id) % kNumShards, tablet_id
    );
}

std::string DataDirectory::tablet_directory(const TabletMeta& meta) const {
    return fmt::format("{}/{}", tablet_root(meta.tablet_id), meta.schema_hash);
}

Status DataDirectory::create_tablet_directory(const TabletMeta& meta) const {
    const std::string root = tablet_root(meta.tablet_id);
    RETURN_IF_ERROR(fs_->create_directories(tablet_directory(meta)));
    RETURN_IF_ERROR(fs_->sync_directory(root));
    const std::string shard = root.substr(0, root.rfind('/'));
    RETURN_IF_ERROR(fs_->sync_directory(shard));
    return fs_->sync_directory(path_.path + "/data");
}

Status DataDirectory::remove_orphans(
    const std::unordered_set<int64_t>& tablets,
    const std::unordered_set<std::string>& rowsets,
    const std::unordered_set<int64_t>& damaged,
    int64_t now_seconds,
    int64_t keep_seconds
) const {
    const std::string data = path_.path + "/data";
    ASSIGN_OR_RETURN(const auto shards, fs_->list(data));
    for (const std::string& shard : shards) {
        ASSIGN_OR_RETURN(const auto roots, fs_->list(data + "/" + shard));
        for (const std::string& root : roots) {
            const std::string tablet = data + "/" + shard + "/" + root;
            const auto tablet_id = parse_number(root);
            if (tablet_id.has_value() && damaged.contains(*tablet_id)) {
                continue;  // What its files are is not known for certain.
            }
            if (!tablet_id.has_value() || !tablets.contains(*tablet_id)) {
                // A create or a drop was cut off.
                LOG_INFO("directory of no tablet taken away path={}", tablet);
                RETURN_IF_ERROR(
                    tablet_id.has_value() && tablet == tablet_root(*tablet_id)
                        ? discard_tablet(*tablet_id, now_seconds, keep_seconds)
                        : fs_->remove_all(tablet)
                );
                continue;
            }
            ASSIGN_OR_RETURN(const auto hashes, fs_->list(tablet));
            for (const std::string& hash : hashes) {
                ASSIGN_OR_RETURN(const auto files, fs_->list(tablet + "/" + hash));
                for (const std::string& file : files) {
                    const std::string rowset = rowset_of_file_name(file);
                    if (rowset.empty() || !rowsets.contains(rowset)) {
                        LOG_INFO("file of no rowset removed path={}/{}/{}", tablet, hash, file);
                        RETURN_IF_ERROR(fs_->remove(tablet + "/" + hash + "/" + file));
                    }
                }
            }
        }
    }
    return {};
}

Status DataDirectory::discard_tablet(int64_t tablet_id, int64_t now_seconds, int64_t keep_seconds)
    const {
    const std::string root = tablet_root(tablet_id);
    if (!fs_->exists(root)) {
        return {};
    }
    const std::string trash = fmt::format("{}/trash/{}.{}", path_.path, now_seconds, tablet_id);
    RETURN_IF_ERROR(fs_->remove_all(trash));
    RETURN_IF_ERROR(fs_->rename(root, trash));
    return keep_seconds > 0 ? Status() : fs_->remove_all(trash);
}

Status DataDirectory::sweep_trash(int64_t now_seconds, int64_t keep_seconds) const {
    ASSIGN_OR_RETURN(const auto entries, fs_->list(path_.path + "/trash"));
    for (const std::string& entry : entries) {
        const auto dropped = parse_number(std::string_view(entry).substr(0, entry.find('.')));
        if (!dropped.has_value() || *dropped + keep_seconds <= now_seconds) {
            RETURN_IF_ERROR(fs_->remove_all(path_.path + "/trash/" + entry));
        }
    }
    return {};
}

Status DataDirectory::check_room(int flood_percent, int64_t flood_left_bytes) const {
    const DiskUsage current = usage();
    if (path_.capacity_bytes > 0 && current.used_bytes >= path_.capacity_bytes) {
        return Status::error(
            ErrorCode::kDiskFull,
            "Data directory {} holds {} bytes of its {}",
            path_.path,
            current.used_bytes,
            path_.capacity_bytes
        );
    }
    if (!current.is_usable) {
        return Status::error(ErrorCode::kIoError, "Data directory {} cannot be used", path_.path);
    }
    const int64_t disk_used = current.total_bytes - current.available_bytes;
    if (current.total_bytes > 0 && disk_used >= current.total_bytes / 100 * flood_percent &&
        current.available_bytes <= flood_left_bytes) {
        return Status::error(
            ErrorCode::kDiskFull,
            "The disk of {} is full: {} of {} bytes are used (storage_flood_stage_usage_percent = "
            "{})",
            path_.path,
            disk_used,
            current.total_bytes,
            flood_percent
        );
    }
    return {};
}

DiskUsage DataDirectory::usage() const {
    DiskUsage result{.path = path_.path, .medium = path_.medium};
    result.used_bytes = used_bytes_.load(std::memory_order_relaxed);
    const auto space = fs_->space(path_.path);
    result.is_usable = space.ok();
    if (space.ok()) {
        result.total_bytes = space->total_bytes;
        result.available_bytes = space->available_bytes;
        if (path_.capacity_bytes > 0) {
            result.total_bytes = std::min(result.total_bytes, path_.capacity_bytes);
            result.available_bytes = std::clamp<int64_t>(
                path_.capacity_bytes - result.used_bytes, 0, result.available_bytes
            );
        }
    }
    return result;
}

void DataDirectory::start_flush_pool(int num_threads) {
    flush_pool_ = std::make_unique<ThreadPool>("flush", num_threads);
    write_services_.flush_pool = flush_pool_.get();
}

void DataDirectory::stop_flush_pool() {
    if (flush_pool_ != nullptr) {
        flush_pool_->shutdown();
    }
}

}  // namespace thetis
