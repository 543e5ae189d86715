// SPDX-License-Identifier: Apache-2.0
#include "base/logging.h"

#include <cstdio>
#include <filesystem>

#include <spdlog/sinks/rotating_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace thetis {

namespace {

// The log's own state; see LogOptions on why this is process-wide.
std::atomic<LogLevel> minimum_level{LogLevel::kWarn};
std::mutex logger_mutex;  // Guards logger.
std::shared_ptr<spdlog::logger> logger;

spdlog::level::level_enum spdlog_level(LogLevel level) {
    switch (level) {
        case LogLevel::kDebug:
            return spdlog::level::debug;
        case LogLevel::kInfo:
            return spdlog::level::info;
        case LogLevel::kWarn:
            return spdlog::level::warn;
        case LogLevel::kError:
            return spdlog::level::err;
    }
    return spdlog::level::info;
}

}  // namespace

Status start_logging(const LogOptions& options) {
    std::vector<spdlog::sink_ptr> sinks;
    try {
        if (!options.directory.empty()) {
            std::filesystem::create_directories(options.directory);
            const std::string path = options.directory + "/" + options.file_name;
            sinks.push_back(std::make_shared<spdlog::sinks::rotating_file_sink_mt>(
                path,
                options.max_file_bytes,
                static_cast<size_t>(std::max(options.max_files - 1, 0))
            ));
            // What an operator reads first: warnings and errors by themselves.
            sinks.push_back(std::make_shared<spdlog::sinks::rotating_file_sink_mt>(
                std::filesystem::path(path).replace_extension(".WARNING").string(),
                options.max_file_bytes,
                1
            ));
            sinks.back()->set_level(spdlog::level::warn);
        }
        if (options.to_stderr || sinks.empty()) {
            sinks.push_back(std::make_shared<spdlog::sinks::stderr_sink_mt>());
        }
        auto fresh = std::make_shared<spdlog::logger>("thetis", sinks.begin(), sinks.end());
        fresh->set_level(spdlog::level::trace);
        fresh->set_pattern("%Y-%m-%d %H:%M:%S.%e %L [%t] %v");
        fresh->flush_on(spdlog::level::info);
        std::lock_guard lock(logger_mutex);
        logger = std::move(fresh);
    } catch (const std::exception& error) {
        return Status::error(
            ErrorCode::kIoError, "Cannot open the log in {}: {}", options.directory, error.what()
        );
    }
    minimum_level = options.level;
    return {};
}

void stop_logging() {
    std::lock_guard lock(logger_mutex);
    if (logger != nullptr) {
        logger->flush();
        logger = nullptr;
    }
}

void set_log_level(LogLevel level) {
    minimum_level = level;
}

bool is_logged(LogLevel level) {
    return level >= minimum_level.load(std::memory_order_relaxed);
}

void write_log(LogLevel level, std::string_view file, int line, std::string_view message) {
    std::shared_ptr<spdlog::logger> target;
    {
        std::lock_guard lock(logger_mutex);
        target = logger;
    }
    const std::string text = fmt::format("{}:{} {}", file, line, message);
    if (target == nullptr) {
        std::fprintf(stderr, "%s\n", text.c_str());
        return;
    }
    target->log(spdlog_level(level), spdlog::string_view_t(text.data(), text.size()));
}

}  // namespace thetis
