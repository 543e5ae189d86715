// SPDX-License-Identifier: Apache-2.0
// Many loads into real storage with a memory budget far below what they would like to have.
#include <cstdlib>
#include <filesystem>
#include <future>
#include <thread>

#include <gtest/gtest.h>

#include "column/builder.h"
#include "load/load_channels.h"
#include "storage/engine/storage_engine.h"

namespace thetis {
namespace {

constexpr int64_t kBudget = 1 << 20;
constexpr int kLoads = 24;
constexpr int kTablets = 4;
constexpr int kBatches = 12;
constexpr uint32_t kRows = 1000;

class LoadMemory : public testing::Test {
protected:
    LoadMemory() {
        std::string pattern = (std::filesystem::temp_directory_path() / "load-memory-XXXXXX");
        directory_ = mkdtemp(pattern.data());
        StorageOptions options;
        options.load_memory_limit_bytes = kBudget;
        options.sync_files = false;
        options.sync_metadata = false;
        options.background_interval_ms = 0;
        auto engine = StorageEngine::open({{directory_}}, std::move(options));
        EXPECT_TRUE(engine.ok()) << engine.status().to_string();
        engine_ = engine.take();
        TabletSchemaDefinition definition;
        definition.columns.resize(2);
        definition.columns[0].unique_id = 1;
        definition.columns[0].name = "k";
        definition.columns[0].type = DataType::of(TypeId::kBigint);
        definition.columns[0].is_key = true;
        definition.columns[1].unique_id = 2;
        definition.columns[1].name = "v";
        definition.columns[1].type = DataType::of(TypeId::kString);
        schema_ = *TabletSchema::create(definition);
        for (int64_t id = 1; id <= kLoads * kTablets; ++id) {
            CreateTabletRequest request;
            request.tablet_id = id;
            request.schema = schema_;
            EXPECT_TRUE(engine_->create_tablet(request).ok());
        }
    }

    ~LoadMemory() override {
        engine_.reset();
        std::filesystem::remove_all(directory_);
    }

    static Batch rows() {
        ColumnBuilder keys(DataType::of(TypeId::kBigint));
        ColumnBuilder values(DataType::of(TypeId::kString));
        for (uint32_t row = 0; row < kRows; ++row) {
            keys.append<int64_t>(row);
            values.append_string(std::string(60, static_cast<char>('a' + row % 26)));
        }
        Batch batch;
        batch.num_rows = kRows;
        batch.columns = {keys.finish(), values.finish()};
        return batch;
    }

    std::string directory_;
    TabletSchemaPtr schema_;
    std::unique_ptr<StorageEngine> engine_;
};

TEST_F(LoadMemory, ManyLoadsFinishWithinATinyBudget) {
    TimerWheel timers;
    LoadChannels channels(*engine_, timers, 4);
    const Batch batch = rows();
    const auto batch_bytes = static_cast<int64_t>(batch.memory_bytes());
    std::vector<uint16_t> all(kRows);
    for (uint32_t row = 0; row < kRows; ++row) {
        all[row] = static_cast<uint16_t>(row);
    }
    std::atomic<bool> done{false};
    std::atomic<int64_t> peak{0};
    std::thread watcher([&] {
        while (!done) {
            peak = std::max(peak.load(), engine_->load_memory_bytes());
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    });
    std::vector<std::promise<LoadCloseResult>> results(kLoads);
    std::vector<std::shared_ptr<LoadChannel>> open;
    for (int load = 0; load < kLoads; ++load) {
        LoadChannelOptions options;
        options.load_id = {5, load};
        options.txn_id = 100 + load;
        options.deadline = std::chrono::steady_clock::now() + std::chrono::minutes(5);
        options.indexes = {{schema_, {1, 2}}};
        open.push_back(*channels.open(options));
    }
    // Every load has a memtable in each of its tablets before any of them is full.
    for (int round = 0; round < kBatches; ++round) {
        for (int load = 0; load < kLoads; ++load) {
            std::vector<TabletRows> tablets;
            for (int tablet = 0; tablet < kTablets; ++tablet) {
                tablets.push_back({load * kTablets + tablet + 1, 1, all});
            }
            std::promise<Status> consumed;
            open[static_cast<size_t>(load)]->write(
                0,
                std::make_shared<const Batch>(batch),
                std::move(tablets),
                [&](const Status& status) { consumed.set_value(status); }
            );
            ASSERT_TRUE(consumed.get_future().get().ok());
        }
    }
    for (int load = 0; load < kLoads; ++load) {
        open[static_cast<size_t>(load)]->close_sender(1, {}, [&, load](const LoadCloseResult& end) {
            results[static_cast<size_t>(load)].set_value(end);
        });
    }
    for (auto& result : results) {
        const LoadCloseResult end = result.get_future().get();
        EXPECT_TRUE(end.status.ok()) << end.status.to_string();
        EXPECT_TRUE(end.failed.empty()) << end.failed.front().second.to_string();
        EXPECT_EQ(end.committed.size(), static_cast<size_t>(kTablets));
    }
    done = true;
    watcher.join();
    // Four workers may each add a batch before they see that the budget is spent.
    EXPECT_LE(peak.load(), kBudget + 4 * batch_bytes * 2);
    EXPECT_EQ(engine_->load_memory_bytes(), 0);
    for (int load = 0; load < kLoads; ++load) {
        std::vector<TabletVersion> versions;
        std::vector<int64_t> ids;
        for (int tablet = 0; tablet < kTablets; ++tablet) {
            versions.push_back({load * kTablets + tablet + 1, 2});
            ids.push_back(load * kTablets + tablet + 1);
        }
        for (const auto& outcome : engine_->publish_version(100 + load, versions)) {
            EXPECT_TRUE(outcome.status.ok()) << outcome.status.to_string();
        }
        for (const auto& report : engine_->tablet_reports(ids)) {
            EXPECT_EQ(report.num_rows, kBatches * kRows);
        }
    }
}

}  // namespace
}  // namespace thetis
