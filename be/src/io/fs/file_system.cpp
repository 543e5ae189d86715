// SPDX-License-Identifier: Apache-2.0
#include "io/fs/file_system.h"

#include <filesystem>

namespace thetis {

Status write_file_atomically(
    const FileSystem& fs, const std::string& path, std::string_view bytes
) {
    const std::string temporary = path + ".tmp";
    ASSIGN_OR_RETURN(auto file, fs.create(temporary));
    RETURN_IF_ERROR(file->append({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}));
    RETURN_IF_ERROR(file->sync());
    RETURN_IF_ERROR(file->close());
    RETURN_IF_ERROR(fs.rename(temporary, path));
    return fs.sync_directory(std::filesystem::path(path).parent_path().string());
}

Result<std::string> read_file(const FileSystem& fs, const std::string& path, uint64_t max_bytes) {
    ASSIGN_OR_RETURN(auto file, fs.open(path));
    if (file->size() > max_bytes) {
        return Status::error(
            ErrorCode::kInvalidArgument,
            "File of {} bytes is larger than {}: {}",
            file->size(),
            max_bytes,
            path
        );
    }
    std::string bytes(file->size(), '\0');
    RETURN_IF_ERROR(file->read(0, {reinterpret_cast<uint8_t*>(bytes.data()), bytes.size()}));
    return bytes;
}

}  // namespace thetis
