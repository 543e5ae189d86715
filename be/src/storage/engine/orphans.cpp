// SPDX-License-Identifier: Apache-2.0
// The part of the engine that finds files nobody knows while it runs.
#include <charconv>

#include "base/logging.h"
#include "base/time.h"
#include "storage/engine/local_storage_engine.h"

namespace thetis {

std::shared_ptr<const void> LocalStorageEngine::hold_rowset_id(const std::string& rowset_id) {
    {
        MutexLock lock(background_mutex_);
        held_rowset_ids_.insert(rowset_id);
    }
    return {this, [this, rowset_id](const void*) {
                MutexLock lock(background_mutex_);
                held_rowset_ids_.erase(held_rowset_ids_.find(rowset_id));
            }};
}

Status LocalStorageEngine::remove_orphans(DataDirectory& directory) {
    const std::string data = directory.path() + "/data";
    ASSIGN_OR_RETURN(const auto shards, fs_->list(data));
    for (const std::string& shard : shards) {
        ASSIGN_OR_RETURN(const auto roots, fs_->list(data + "/" + shard));
        for (const std::string& root : roots) {
            int64_t tablet_id = 0;
            const auto [end, error] =
                std::from_chars(root.data(), root.data() + root.size(), tablet_id);
            if (error != std::errc() || end != root.data() + root.size()) {
                continue;
            }
            // Creates and drops of the tablet wait meanwhile.
            ASSIGN_OR_RETURN(const auto claim, busy_tablets_.claim(tablet_id));
            const auto entry = find_entry(tablet_id);
            if (!entry.has_value() && directory.is_damaged(tablet_id)) {
                continue;
            }
            if (!entry.has_value() || entry->directory != &directory) {
                LOG_INFO("directory of no tablet taken away path={}/{}/{}", data, shard, root);
                RETURN_IF_ERROR(directory.discard_tablet(
                    tablet_id, SystemClock().unix_seconds(), settings_.trash_file_expire_time_sec()
                ));
                continue;
            }
            if (!entry->tablet->check_readable().ok()) {
                continue;  // What its files are is not known for certain.
            }
            RETURN_IF_ERROR(remove_orphan_files(*entry->tablet, data + "/" + shard + "/" + root));
        }
    }
    return {};
}

Status LocalStorageEngine::remove_orphan_files(const Tablet& tablet, const std::string& path) {
    ASSIGN_OR_RETURN(const auto hashes, fs_->list(path));
    for (const std::string& hash : hashes) {
        ASSIGN_OR_RETURN(const auto files, fs_->list(path + "/" + hash));
        for (const std::string& file : files) {
            const std::string rowset_id = rowset_of_file_name(file);
            // In this order: who writes a rowset lets go of it only when the tablet knows it.
            {
                MutexLock lock(background_mutex_);
                if (held_rowset_ids_.contains(rowset_id)) {
                    continue;
                }
            }
            if (!tablet.knows(rowset_id)) {
                LOG_INFO("file of no rowset removed path={}/{}/{}", path, hash, file);
                RETURN_IF_ERROR(fs_->remove(path + "/" + hash + "/" + file));
            }
        }
    }
    return {};
}

}  // namespace thetis
