// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"
#include "base/thread/mutex.h"

namespace thetis {

/// The directory of load error logs: one text file per load with bad rows, kept for some hours.
/// Thread-safe.
class ErrorLogStore {
public:
    /// `url_prefix`: `http://host:port/api/_load_error_log?file=`.
    ErrorLogStore(std::string directory, std::string url_prefix)
        : directory_(std::move(directory)), url_prefix_(std::move(url_prefix)) {}

    Status open();
    /// Full path of a new file for a load; the name is unguessable.
    std::string new_file_name() const;

    std::string path_of(const std::string& file_name) const { return directory_ + "/" + file_name; }

    std::string url_of(const std::string& file_name) const;
    /// The host changes when the first heartbeat tells by which name the cluster knows us.
    void set_url_prefix(std::string url_prefix);
    /// The content of a log; not_found for names that are not plain file names of this directory.
    Result<std::string> read(const std::string& file_name) const;
    /// Deletes logs older than so many hours.
    void remove_old(int hours) const;

private:
    const std::string directory_;
    mutable Mutex mutex_;  // Guards url_prefix_.
    std::string url_prefix_ GUARDED_BY(mutex_);
};

}  // namespace thetis
