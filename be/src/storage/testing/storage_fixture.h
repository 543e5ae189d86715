// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/be_settings.gen.h"
#include "base/debug_points.h"
#include "column/builder.h"
#include "storage/engine/storage_engine.h"

namespace thetis {

/// A storage engine in a directory of its own, and the few steps every storage test takes.
class StorageFixture : public testing::Test {
protected:
    StorageFixture();
    ~StorageFixture() override;

    /// Opens the engine, after closing an open one: what a restart does. Conditions of deletes are
    /// `<unique id of a BIGINT column> < <number>`.
    void open_engine() { open_engine_in(directory_); }

    void open_engine_in(const std::string& directory, int64_t capacity_bytes = 0);

    void close_engine() { engine_.reset(); }

    StorageEngine& engine() { return *engine_; }

    Config& config() { return config_; }

    DebugPoints& debug_points() { return debug_points_; }

    const std::string& directory() const { return directory_; }

    /// How often the engine said that its tablets changed.
    int num_changes() const { return num_changes_.load(); }

    /// What a test that is killed needs to know.
    struct Victim {
        std::string directory;
        std::string point;
    };

    /// Runs `test` (`Suite.Name`) in a new process, with this fixture's directory and a debug point
    /// at which it is to kill itself, and waits for its violent end.
    void kill_victim(const std::string& test, const std::string& point);
    /// In such a process; else nothing, and the test is to be skipped.
    static std::optional<Victim> victim();
    /// Closes the engine and begins with an empty directory.
    void empty_directory();

    /// k BIGINT NOT NULL (key), s VARCHAR, d DOUBLE, t INT.
    static TabletSchemaDefinition definition();
    void create_tablet(int64_t tablet_id);

    /// Rows with keys first, first + 1, ...; s repeats 100 values with nulls, d grows, t = key %
    /// 1000.
    static Batch make_rows(int64_t first, uint32_t num_rows);
    static std::vector<int64_t> numbers(int64_t first, int64_t count);

    std::unique_ptr<TabletWriter> open_writer(
        int64_t tablet_id,
        int64_t txn_id,
        const std::string& load_id,
        int64_t write_buffer_bytes = 0
    );
    void write(int64_t tablet_id, int64_t txn_id, const Batch& rows);
    void publish(int64_t txn_id, int64_t tablet_id, int64_t version);
    Status publish_status(int64_t txn_id, int64_t tablet_id, int64_t version);
    void load(int64_t tablet_id, int64_t txn_id, int64_t version, const Batch& rows);

    /// The values of column k, sorted, of all batches.
    static std::vector<int64_t> keys_of(
        const TabletReader& reader, ScanStatistics* statistics = nullptr
    );
    std::vector<int64_t> scan_keys(
        int64_t tablet_id,
        int64_t version,
        ReadOptions options = {},
        ScanStatistics* statistics = nullptr
    );

    /// Segment files under the data directory.
    std::vector<std::filesystem::path> files() const;

    size_t num_files() const { return files().size(); }

    /// Segment files in or below a directory that this process has open.
    static size_t num_open_segments(const std::string& directory = "/");

private:
    std::string directory_;
    Config config_{kBackendConfigKeys};
    DebugPoints debug_points_{true};
    std::atomic<int> num_changes_{0};
    std::unique_ptr<StorageEngine> engine_;
};

}  // namespace thetis
