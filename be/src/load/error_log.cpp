// SPDX-License-Identifier: Apache-2.0
#include "load/error_log.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/unique_id.h"

namespace thetis {

namespace fs = std::filesystem;

Status ErrorLogStore::open() {
    std::error_code error;
    fs::create_directories(directory_, error);
    if (error) {
        return Status::error(
            ErrorCode::kIoError, "cannot create {}: {}", directory_, error.message()
        );
    }
    return {};
}

std::string ErrorLogStore::new_file_name() const {
    return "error_log_insert_" + UniqueId::generate().to_string();
}

std::string ErrorLogStore::url_of(const std::string& file_name) const {
    MutexLock lock(mutex_);
    return url_prefix_ + file_name;
}

void ErrorLogStore::set_url_prefix(std::string url_prefix) {
    MutexLock lock(mutex_);
    url_prefix_ = std::move(url_prefix);
}

Result<std::string> ErrorLogStore::read(const std::string& file_name) const {
    if (file_name.empty() || file_name.find('/') != std::string::npos ||
        file_name.starts_with(".")) {
        return Status::error(ErrorCode::kNotFound, "no error log named '{}'", file_name);
    }
    std::ifstream file(path_of(file_name), std::ios::binary);
    if (!file) {
        return Status::error(ErrorCode::kNotFound, "no error log named '{}'", file_name);
    }
    std::ostringstream content;
    content << file.rdbuf();
    return std::move(content).str();
}

void ErrorLogStore::remove_old(int hours) const {
    std::error_code error;
    auto oldest = fs::file_time_type::clock::now() - std::chrono::hours(hours);
    for (const auto& entry : fs::directory_iterator(directory_, error)) {
        std::error_code ignored;  // A file that goes meanwhile is what we want.
        if (entry.last_write_time(ignored) < oldest) {
            fs::remove(entry.path(), ignored);
        }
    }
}

}  // namespace thetis
