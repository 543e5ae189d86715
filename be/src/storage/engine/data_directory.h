// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <unordered_set>

#include "base/status.h"
#include "base/thread/thread_pool.h"
#include "io/fs/file_system.h"
#include "storage/engine/storage_engine.h"
#include "storage/meta/metadata_store.h"
#include "storage/tablet/write_services.h"

namespace thetis {

/// One disk's directory: `data/<shard>/<tablet>/<schema hash>/` with segment files, `meta/` with
/// RocksDB, `trash/` with dropped tablets. Thread-safe.
class DataDirectory {
public:
    /// Makes the directories and opens the metadata.
    static Result<std::unique_ptr<DataDirectory>> open(
        const StoragePath& path, std::shared_ptr<const FileSystem> fs
    );

    const std::string& path() const { return path_.path; }

    MetadataStore& metadata() { return *metadata_; }

    const std::shared_ptr<const FileSystem>& fs() const { return fs_; }

    std::string tablet_root(int64_t tablet_id) const;
    std::string tablet_directory(const TabletMeta& meta) const;
    /// Makes a tablet's directory durably.
    Status create_tablet_directory(const TabletMeta& meta) const;

    /// Removes files of rowsets that no metadata names, and takes away tablets that were dropped.
    /// Of `damaged` tablets all files stay. Only while no writer runs.
    Status remove_orphans(
        const std::unordered_set<int64_t>& tablets,
        const std::unordered_set<std::string>& rowsets,
        const std::unordered_set<int64_t>& damaged,
        int64_t now_seconds,
        int64_t keep_seconds
    ) const;

    /// Tablets whose files stay, whatever metadata says of them; set once, before anything runs.
    void set_damaged(std::unordered_set<int64_t> tablets) { damaged_ = std::move(tablets); }

    bool is_damaged(int64_t tablet_id) const { return damaged_.contains(tablet_id); }

    /// Takes a dropped tablet's files away: at once, or into the trash when `keep_seconds` > 0.
    Status discard_tablet(int64_t tablet_id, int64_t now_seconds, int64_t keep_seconds) const;
    /// Empties the trash of what is older than `keep_seconds`.
    Status sweep_trash(int64_t now_seconds, int64_t keep_seconds) const;

    /// disk_full when the disk is used past `flood_percent` with at most `flood_left_bytes` left,
    /// or the directory past its configured capacity.
    Status check_room(int flood_percent, int64_t flood_left_bytes) const;
    DiskUsage usage() const;

    void add_used_bytes(int64_t bytes) { used_bytes_.fetch_add(bytes, std::memory_order_relaxed); }

    void add_tablets(int by) { num_tablets_.fetch_add(by, std::memory_order_relaxed); }

    int num_tablets() const { return num_tablets_.load(std::memory_order_relaxed); }

    /// Set once by the engine; used by writers.
    WriteServices& write_services() { return write_services_; }

    void start_flush_pool(int num_threads);
    void stop_flush_pool();

    /// Use open().
    DataDirectory(
        StoragePath path,
        std::shared_ptr<const FileSystem> fs,
        std::unique_ptr<MetadataStore> metadata
    );

private:
    const StoragePath path_;
    const std::shared_ptr<const FileSystem> fs_;
    const std::unique_ptr<MetadataStore> metadata_;
    std::unique_ptr<ThreadPool> flush_pool_;
    WriteServices write_services_;
    std::unordered_set<int64_t> damaged_;
    // Statistics; relaxed order is enough.
    std::atomic<int64_t> used_bytes_{0};
    std::atomic<int> num_tablets_{0};
};

}  // namespace thetis
