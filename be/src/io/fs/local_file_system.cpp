// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "io/fs/file_system.h"

namespace thetis {

namespace {

Status system_error(std::string_view action, const std::string& path, int number) {
    ErrorCode code = ErrorCode::kIoError;
    if (number == ENOSPC || number == EDQUOT) {
        code = ErrorCode::kDiskFull;
    } else if (number == ENOENT) {
        code = ErrorCode::kNotFound;
    }
    return Status::error(
        code, "Cannot {} {}: {}", action, path, std::generic_category().message(number)
    );
}

Status filesystem_error(
    std::string_view action, const std::string& path, const std::error_code& error
) {
    return error ? system_error(action, path, error.value()) : Status();
}

/// Owns a file descriptor.
class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}

    ~Descriptor() {
        if (number_ >= 0) {
            ::close(number_);
        }
    }

    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}

    Descriptor& operator=(Descriptor&&) = delete;

    int number() const { return number_; }

    int release() { return std::exchange(number_, -1); }

private:
    int number_;
};

class LocalRandomAccessFile final : public RandomAccessFile {
public:
    LocalRandomAccessFile(std::string path, Descriptor descriptor, uint64_t size)
        : path_(std::move(path)), descriptor_(std::move(descriptor)), size_(size) {}

    Status read(uint64_t offset, std::span<uint8_t> output) const override {
        size_t done = 0;
        while (done < output.size()) {
            const ssize_t count = ::pread(
                descriptor_.number(),
                output.data() + done,
                output.size() - done,
                static_cast<off_t>(offset + done)
            );
            if (count < 0 && errno == EINTR) {
                continue;
            }
            if (count < 0) {
                return system_error("read", path_, errno);
            }
            if (count == 0) {
                return Status::error(
                    ErrorCode::kCorruption,
                    "File ends at {} before offset {}: {}",
                    offset + done,
                    offset + output.size(),
                    path_
                );
            }
            done += static_cast<size_t>(count);
        }
        return {};
    }

    uint64_t size() const override { return size_; }

    const std::string& path() const override { return path_; }

private:
    const std::string path_;
    const Descriptor descriptor_;
    const uint64_t size_;
};

/// Gathers small appends to writes of a quarter of a megabyte.
class LocalWritableFile final : public WritableFile {
public:
    LocalWritableFile(std::string path, Descriptor descriptor)
        : path_(std::move(path)), descriptor_(std::move(descriptor)) {}

    Status append(std::span<const uint8_t> bytes) override {
        size_ += bytes.size();
        if (pending_.size() + bytes.size() <= kBufferBytes) {
            pending_.insert(pending_.end(), bytes.begin(), bytes.end());
            return {};
        }
        RETURN_IF_ERROR(flush());
        return write(bytes);
    }

    Status sync() override {
        RETURN_IF_ERROR(flush());
        return ::fdatasync(descriptor_.number()) == 0 ? Status()
                                                      : system_error("sync", path_, errno);
    }

    Status close() override {
        RETURN_IF_ERROR(flush());
        const int number = descriptor_.release();
        return number < 0 || ::close(number) == 0 ? Status() : system_error("close", path_, errno);
    }

    uint64_t size() const override { return size_; }

    const std::string& path() const override { return path_; }

private:
    static constexpr size_t kBufferBytes = 256 * 1024;

    Status flush() {
        Status status = write(pending_);
        pending_.clear();
        return status;
    }

    Status write(std::span<const uint8_t> bytes) {
        while (!bytes.empty()) {
            const ssize_t count = ::write(descriptor_.number(), bytes.data(), bytes.size());
            if (count < 0 && errno != EINTR) {
                return system_error("write", path_, errno);
            }
            bytes = bytes.subspan(count < 0 ? 0 : static_cast<size_t>(count));
        }
        return {};
    }

    const std::string path_;
    Descriptor descriptor_;
    std::vector<uint8_t> pending_;
    uint64_t size_ = 0;
};

class LocalFileSystem final : public FileSystem {
public:
    Result<std::unique_ptr<RandomAccessFile>> open(const std::string& path) const override {
        Descriptor descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
        if (descriptor.number() < 0) {
            return system_error("open", path, errno);
        }
        struct stat attributes{};
        if (::fstat(descriptor.number(), &attributes) != 0) {
            return system_error("examine", path, errno);
        }
        if (S_ISDIR(attributes.st_mode)) {
            return system_error("open", path, EISDIR);
        }
        return std::unique_ptr<RandomAccessFile>(std::make_unique<LocalRandomAccessFile>(
            path, std::move(descriptor), static_cast<uint64_t>(attributes.st_size)
        ));
    }

    Result<std::unique_ptr<WritableFile>> create(const std::string& path) const override {
        Descriptor descriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
        if (descriptor.number() < 0) {
            return system_error("create", path, errno);
        }
        return std::unique_ptr<WritableFile>(
            std::make_unique<LocalWritableFile>(path, std::move(descriptor))
        );
    }

    bool exists(const std::string& path) const override {
        return ::access(path.c_str(), F_OK) == 0;
    }

    Status create_directories(const std::string& path) const override {
        std::error_code error;
        std::filesystem::create_directories(path, error);
        return filesystem_error("create directory", path, error);
    }

    Result<std::vector<std::string>> list(const std::string& path) const override {
        std::error_code error;
        std::filesystem::directory_iterator entries(path, error);
        std::vector<std::string> names;
        for (; !error && entries != std::filesystem::directory_iterator();
             entries.increment(error)) {
            names.push_back(entries->path().filename().string());
        }
        RETURN_IF_ERROR(filesystem_error("list", path, error));
        std::sort(names.begin(), names.end());
        return names;
    }

    Status rename(const std::string& from, const std::string& to) const override {
        return ::rename(from.c_str(), to.c_str()) == 0
                   ? Status()
                   : system_error("rename to " + to + " from", from, errno);
    }

    Status remove(const std::string& path) const override {
        return ::unlink(path.c_str()) == 0 || errno == ENOENT ? Status()
                                                              : system_error("remove", path, errno);
    }

    Status remove_all(const std::string& path) const override {
        std::error_code error;
        std::filesystem::remove_all(path, error);
        return filesystem_error("remove", path, error);
    }

    Status sync_directory(const std::string& path) const override {
        Descriptor descriptor(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (descriptor.number() < 0) {
            return system_error("open directory", path, errno);
        }
        return ::fsync(descriptor.number()) == 0 ? Status()
                                                 : system_error("sync directory", path, errno);
    }

    Result<DiskSpace> space(const std::string& path) const override {
        struct statvfs attributes{};
        if (::statvfs(path.c_str(), &attributes) != 0) {
            return system_error("ask the space of", path, errno);
        }
        const auto unit = static_cast<int64_t>(attributes.f_frsize);
        return DiskSpace{
            .total_bytes = static_cast<int64_t>(attributes.f_blocks) * unit,
            .available_bytes = static_cast<int64_t>(attributes.f_bavail) * unit
        };
    }
};

}  // namespace

std::shared_ptr<const FileSystem> local_file_system() {
    return std::make_shared<LocalFileSystem>();
}

}  // namespace thetis
