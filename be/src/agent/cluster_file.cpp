// SPDX-License-Identifier: Apache-2.0
#include "agent/cluster_file.h"

#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <unistd.h>

namespace thetis {

Result<std::optional<ClusterIdentity>> read_cluster_file(const std::string& directory) {
    std::string path = directory + "/cluster_id";
    if (!std::filesystem::exists(path)) {
        return std::optional<ClusterIdentity>();
    }
    std::ifstream file(path);
    ClusterIdentity identity;
    std::string number;
    if (!std::getline(file, number)) {
        return Status::error(ErrorCode::kCorruption, "{} is empty", path);
    }
    auto [end, error] =
        std::from_chars(number.data(), number.data() + number.size(), identity.cluster_id);
    if (error != std::errc() || end != number.data() + number.size()) {
        return Status::error(ErrorCode::kCorruption, "{} does not hold a cluster id", path);
    }
    std::getline(file, identity.token);
    return std::optional<ClusterIdentity>(std::move(identity));
}

Status write_cluster_file(const std::string& directory, const ClusterIdentity& identity) {
    std::string path = directory + "/cluster_id";
    std::string temporary = path + ".tmp";
    std::string text = std::to_string(identity.cluster_id) + "\n" + identity.token + "\n";
    int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) {
        return Status::error(
            ErrorCode::kIoError, "cannot write {}: {}", temporary, std::strerror(errno)
        );
    }
    bool written = ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
                   ::fsync(file) == 0;
    ::close(file);
    if (!written || ::rename(temporary.c_str(), path.c_str()) != 0) {
        return Status::error(
            ErrorCode::kIoError, "cannot write {}: {}", path, std::strerror(errno)
        );
    }
    return {};
}

}  // namespace thetis
