// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"

namespace thetis {

/// An open file for reading at any offset. Thread-safe.
class RandomAccessFile {
public:
    virtual ~RandomAccessFile() = default;
    /// Fills `output` whole; corruption when the file ends before, io_error when the system
    /// refuses.
    virtual Status read(uint64_t offset, std::span<uint8_t> output) const = 0;
    virtual uint64_t size() const = 0;
    virtual const std::string& path() const = 0;
};

/// A file being written from its start. For one thread at a time. Dropped without close(): its
/// bytes are not to be relied on.
class WritableFile {
public:
    virtual ~WritableFile() = default;
    virtual Status append(std::span<const uint8_t> bytes) = 0;
    /// Makes everything appended so far durable.
    virtual Status sync() = 0;
    virtual Status close() = 0;
    virtual uint64_t size() const = 0;
    virtual const std::string& path() const = 0;
};

struct DiskSpace {
    int64_t total_bytes = 0;
    int64_t available_bytes = 0;
};

/// Where files are: the local disk now, object stores later. Thread-safe. Errors name the path and
/// the system's reason; a full disk is disk_full, a missing file not_found.
class FileSystem {
public:
    virtual ~FileSystem() = default;
    virtual Result<std::unique_ptr<RandomAccessFile>> open(const std::string& path) const = 0;
    /// Truncates a file that exists.
    virtual Result<std::unique_ptr<WritableFile>> create(const std::string& path) const = 0;
    virtual bool exists(const std::string& path) const = 0;
    virtual Status create_directories(const std::string& path) const = 0;
    /// Names in a directory, sorted, without `.` and `..`.
    virtual Result<std::vector<std::string>> list(const std::string& path) const = 0;
    virtual Status rename(const std::string& from, const std::string& to) const = 0;
    /// A file that is gone already is fine.
    virtual Status remove(const std::string& path) const = 0;
    /// A directory with all it holds; a missing one is fine.
    virtual Status remove_all(const std::string& path) const = 0;
    /// Makes creations, renames and removals in a directory durable.
    virtual Status sync_directory(const std::string& path) const = 0;
    virtual Result<DiskSpace> space(const std::string& path) const = 0;
};

/// The files of this machine, by POSIX calls.
std::shared_ptr<const FileSystem> local_file_system();

/// Writes `bytes` so that after a crash at any moment the path holds the old or the new content:
/// temporary file, sync, rename, sync of the directory.
Status write_file_atomically(const FileSystem& fs, const std::string& path, std::string_view bytes);

/// At most `max_bytes`; larger files are refused.
Result<std::string> read_file(
    const FileSystem& fs, const std::string& path, uint64_t max_bytes = 64 << 20
);

}  // namespace thetis
