// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/status.h"

namespace thetis {

enum class LogLevel : uint8_t { kDebug, kInfo, kWarn, kError };

/// Where log lines go. The log is the one thing that is process-wide: it outlives every object that
/// may want to complain.
struct LogOptions {
    std::string directory;  ///< Empty: standard error only.
    std::string file_name = "be.log";
    size_t max_file_bytes = size_t{256} << 20;
    int max_files = 10;
    LogLevel level = LogLevel::kInfo;
    bool to_stderr = false;  ///< Also to standard error.
};

/// Opens the log; until then lines of level warn and above go to standard error. Called once by
/// main.
Status start_logging(const LogOptions& options);

/// Writes out what is buffered and closes the file.
void stop_logging();

/// Changes the level at run time.
void set_log_level(LogLevel level);

bool is_logged(LogLevel level);
void write_log(LogLevel level, std::string_view file, int line, std::string_view message);

}  // namespace thetis

#define THETIS_LOG(level, ...)                                                             \
    do {                                                                                   \
        if (::thetis::is_logged(level)) {                                                  \
            ::thetis::write_log(level, __FILE_NAME__, __LINE__, fmt::format(__VA_ARGS__)); \
        }                                                                                  \
    } while (false)

/// `LOG_INFO("tablet opened tablet_id={} version={}", id, version)`: one sentence, then key=value
/// pairs.
#define LOG_DEBUG(...) THETIS_LOG(::thetis::LogLevel::kDebug, __VA_ARGS__)
#define LOG_INFO(...) THETIS_LOG(::thetis::LogLevel::kInfo, __VA_ARGS__)
#define LOG_WARN(...) THETIS_LOG(::thetis::LogLevel::kWarn, __VA_ARGS__)
#define LOG_ERROR(...) THETIS_LOG(::thetis::LogLevel::kError, __VA_ARGS__)
