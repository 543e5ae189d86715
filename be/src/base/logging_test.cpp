// SPDX-License-Identifier: Apache-2.0
#include "base/logging.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <unistd.h>

namespace thetis {
namespace {

std::string read(const std::filesystem::path& path) {
    std::ifstream in(path);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

TEST(LoggingTest, WarningsAlsoGoToAFileOfTheirOwn) {
    const auto directory =
        std::filesystem::temp_directory_path() / ("thetis-log-" + std::to_string(getpid()));
    LogOptions options;
    options.directory = directory.string();
    ASSERT_TRUE(start_logging(options).ok());
    LOG_DEBUG("a detail");
    LOG_INFO("a fact");
    LOG_WARN("a doubt");
    stop_logging();
    const std::string all = read(directory / "be.log");
    EXPECT_EQ(all.find("a detail"), std::string::npos);
    EXPECT_NE(all.find("a fact"), std::string::npos);
    EXPECT_NE(all.find("a doubt"), std::string::npos);
    const std::string warnings = read(directory / "be.WARNING");
    EXPECT_EQ(warnings.find("a fact"), std::string::npos);
    EXPECT_NE(warnings.find("a doubt"), std::string::npos);
    std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace thetis
