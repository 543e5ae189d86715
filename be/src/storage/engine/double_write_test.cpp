// SPDX-License-Identifier: Apache-2.0
// Writes to a merge-on-write table while its schema changes: whatever was loaded, updated in part
// or deleted, by loads at once and in whichever order versions arrive, the shadow's rows are the
// base's rows converted.
#include <random>
#include <thread>

#include "storage/engine/row_transform.h"
#include "storage/testing/merge_on_write_fixture.h"

namespace thetis::merge_on_write {
namespace {

constexpr int64_t kBase = 1;
constexpr int64_t kShadow = 2;
constexpr int64_t kAdded = 1000;

/// What becomes of a row: the number is larger, the text longer, the rest as it is.
class Longer final : public RowTransform {
public:
    explicit Longer(bool with_sequence) : ids_{kKey, kNumber, kText, kSign} {
        if (with_sequence) {
            ids_.push_back(kSequence);
        }
    }

    const std::vector<int32_t>& column_unique_ids() const override { return ids_; }

    Result<Batch> apply(const Batch& rows) const override {
        Batch result;
        result.num_rows = rows.num_rows;
        result.columns = rows.columns;
        const ColumnView<int64_t> numbers(*rows.columns[1]);
        const ColumnView<StringRef> texts(*rows.columns[2]);
        ColumnBuilder larger(DataType::of(TypeId::kBigint));
        ColumnBuilder longer(DataType::varchar(100));
        for (uint32_t row = 0; row < rows.num_rows; ++row) {
            if (numbers.is_valid(row)) {
                larger.append<int64_t>(numbers[row] + kAdded);
            } else {
                larger.append_null();
            }
            if (texts.is_valid(row)) {
                longer.append_string("new " + std::string(texts[row].view()));
            } else {
                longer.append_null();
            }
        }
        result.columns[1] = larger.finish();
        result.columns[2] = longer.finish();
        return result;
    }

private:
    std::vector<int32_t> ids_;
};

class DoubleWriteTest : public MergeOnWriteFixture {
protected:
    static Rows converted(Rows rows) {
        for (auto& [key, row] : rows) {
            row.number += kAdded;
            row.text = "new " + row.text;
        }
        return rows;
    }

    /// The rows a reader sees: those with a delete sign may be there or compacted away.
    Table live(int64_t tablet_id, int64_t version) {
        Table table = read(tablet_id, version);
        std::erase_if(table, [](const auto& entry) { return entry.second.sign != 0; });
        return table;
    }

    Table expected(int64_t version) {
        Table table = live(kBase, version);
        for (auto& [key, row] : table) {
            row.number += row.number == -1 ? 0 : kAdded;  // -1 and NULL: no value.
            row.text = row.text == "NULL" ? "NULL" : "new " + row.text;
        }
        return table;
    }

    /// One load of both tablets; `columns` empty: whole rows.
    void write_both(
        int64_t txn_id,
        const Rows& rows,
        const std::vector<int32_t>& columns = {},
        size_t rows_per_segment = 100000,
        bool existing_only = false
    ) {
        for (const int64_t tablet : {kBase, kShadow}) {
            const Status status = write_rows(
                tablet,
                txn_id,
                tablet == kBase ? rows : converted(rows),
                columns,
                rows_per_segment,
                existing_only
            );
            ASSERT_TRUE(status.ok()) << status.to_string();
        }
    }

    Status convert(int64_t version, bool with_sequence = false) {
        ConversionRequest request;
        request.base_tablet_id = kBase;
        request.shadow_tablet_id = kShadow;
        request.version = version;
        request.base_schema = schema(with_sequence);
        request.transform = std::make_shared<const Longer>(with_sequence);
        return engine().convert_tablet(request);
    }
};

TEST_F(DoubleWriteTest, PartialUpdatesBecomeWholeRowsWhenTheHistoryIsThere) {
    for (const bool restart : {false, true}) {
        open_engine();
        create(kBase, schema(true));
        load(kBase, 2, {{1, {1, "a", 0, 5}}, {2, {2, "b", 0, 5}}, {3, {3, "c", 0, 5}}});
        create(kShadow, schema(true), true);
        write_both(20, {{1, {11, ""}}, {4, {44, ""}}}, {kKey, kNumber});
        write_both(21, {{2, {0, "B"}}, {5, {0, "no"}}}, {kKey, kText}, 1, true);
        write_both(22, {{3, {0, "", 1, 7}}, {2, {22, "old", 0, 4}}});
        write_both(23, {{3, {33, ""}}, {2, {222, ""}}}, {kNumber, kKey}, 100000, true);
        write_both(24, {{5, {55, "e", 0, 1}}});
        // Written while nobody knows the rows, published when they are known.
        write_both(25, {{1, {0, "A"}}, {5, {0, "E"}}}, {kKey, kText});
        for (int64_t i = 0; i < 5; ++i) {
            publish(20 + i, kBase, 3 + i);
        }
        for (const int64_t i : {0, 3, 1, 2, 4}) {
            publish(20 + i, kShadow, 3 + i);
        }
        if (restart) {
            open_engine();
        }
        EXPECT_EQ(live(kBase, 7).at(5), (Row{55, "e", 0, 1}));
        ASSERT_TRUE(convert(2, true).ok());
        EXPECT_EQ(
            live(kShadow, 7),
            (Table{
                {1, {1011, "new a", 0, 5}},
                {2, {1222, "new B", 0, 5}},
                {4, {1044, "NULL", 0, 0}},
                {5, {1055, "new e", 0, 1}}
            })
        );
        if (restart) {
            open_engine();
        }
        for (const int64_t tablet : {kBase, kShadow}) {
            publish(25, tablet, 8);
        }
        EXPECT_EQ(live(kShadow, 8).at(1), (Row{1011, "new A", 0, 5}));
        EXPECT_EQ(live(kShadow, 8), expected(8));
        open_engine();
        EXPECT_EQ(live(kShadow, 8), expected(8));
        empty_directory();
    }
}

TEST_F(DoubleWriteTest, AMissingVersionAboveTheHistoryIsWaitedFor) {
    open_engine();
    create(kBase, schema(false));
    load(kBase, 2, {{1, {1, "a"}}});
    create(kShadow, schema(false), true);
    write_both(20, {{1, {2, "b"}}});
    write_both(21, {{1, {3, "c"}}});
    publish(21, kShadow, 4);
    std::thread late([this] {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        publish(20, kShadow, 3);
    });
    const Status status = convert(2);
    late.join();
    ASSERT_TRUE(status.ok()) << status.to_string();
    EXPECT_EQ(live(kShadow, 4), (Table{{1, {1003, "new c"}}}));
    EXPECT_EQ(live(kShadow, 3), (Table{{1, {1002, "new b"}}}));
}

TEST_F(DoubleWriteTest, RandomHistoriesOfBothAreEqual) {
    const char* given = std::getenv("THETIS_TEST_SEED");
    const uint64_t seed =
        given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device()();
    SCOPED_TRACE(fmt::format("THETIS_TEST_SEED={}", seed));
    std::mt19937_64 random(seed);
    for (int history = 0; history < 12; ++history) {
        const bool with_sequence = history % 2 == 1;
        open_engine();
        create(kBase, schema(with_sequence));
        int64_t version = 1;
        const auto num_keys = static_cast<int64_t>(10 + random() % 500);
        const auto some_rows = [&] {
            Rows rows;
            for (size_t i = 1 + random() % 400; i > 0; --i) {
                const auto value = static_cast<int64_t>(random() % 100000);
                // With a sequence a compaction may forget a deleted row that would still win.
                const int sign = !with_sequence && random() % 6 == 0 ? 1 : 0;
                rows.push_back(
                    {static_cast<int64_t>(random() % static_cast<uint64_t>(num_keys)),
                     {value,
                      fmt::format("text {}", value),
                      sign,
                      with_sequence ? static_cast<int64_t>(random() % 20) : 0}}
                );
            }
            return rows;
        };
        for (size_t i = random() % 4; i > 0; --i) {
            load(kBase, ++version, some_rows(), random() % 2 == 0 ? 50 : 100000);
        }
        create(kShadow, schema(with_sequence), true);
        const int64_t oldest = version;
        int64_t watershed = -1;
        const int num_rounds = static_cast<int>(4 + random() % 8);
        const int conversion_round = static_cast<int>(random() % static_cast<uint64_t>(num_rounds));
        bool is_converted = false;
        for (int round = 0; round <= num_rounds; ++round) {
            const size_t num_loads = 1 + random() % 3;
            for (size_t i = 0; i < num_loads; ++i) {
                const uint64_t kind = random() % 4;
                write_both(
                    5000 + version + static_cast<int64_t>(i),
                    some_rows(),
                    kind == 0   ? std::vector<int32_t>{}
                    : kind == 1 ? std::vector<int32_t>{kKey, kNumber}
                                : std::vector<int32_t>{kText, kKey},
                    random() % 2 == 0 ? 60 : 100000,
                    kind == 3
                );
            }
            if (random() % 3 == 0) {
                const auto kind =
                    random() % 2 == 0 ? CompactionKind::kCumulative : CompactionKind::kFull;
                ASSERT_TRUE(engine().compact_tablet(kBase, kind).ok());
            }
            if (random() % 4 == 0) {
                open_engine();
            }
            const auto convert_now = [&] {
                // Any committed version will do for the watershed.
                watershed =
                    oldest +
                    static_cast<int64_t>(random() % static_cast<uint64_t>(version - oldest + 1));
                const Status status = convert(watershed, with_sequence);
                ASSERT_TRUE(status.ok()) << status.to_string();
                is_converted = true;
            };
            const bool converts_here = round == conversion_round;
            const bool converts_before = random() % 2 == 0;
            if (converts_here && converts_before) {
                convert_now();
            }
            std::vector<int64_t> order;
            for (size_t i = 0; i < num_loads; ++i) {
                const auto txn_id = 5000 + version + static_cast<int64_t>(i);
                publish(txn_id, kBase, version + 1 + static_cast<int64_t>(i));
                order.push_back(static_cast<int64_t>(i));
            }
            if (!is_converted) {
                std::shuffle(order.begin(), order.end(), random);
            }
            for (const int64_t i : order) {
                publish(5000 + version + i, kShadow, version + 1 + i);
            }
            version += static_cast<int64_t>(num_loads);
            if (converts_here && !converts_before) {
                convert_now();
            }
            if (is_converted) {
                ASSERT_EQ(live(kShadow, version), expected(version))
                    << "history " << history << " version " << version << " watershed "
                    << watershed;
                if (random() % 3 == 0) {
                    ASSERT_TRUE(engine().compact_tablet(kShadow, CompactionKind::kFull).ok());
                    ASSERT_EQ(live(kShadow, version), expected(version));
                }
            }
        }
        open_engine();
        ASSERT_EQ(live(kShadow, version), expected(version)) << "after a restart";
        empty_directory();
    }
}

/// A conversion that is killed while partial updates wait for it.
class DoubleWriteCrashTest : public DoubleWriteTest {
protected:
    void prepare() {
        create(kBase, schema(false));
        load(kBase, 2, {{1, {1, "a"}}, {2, {2, "b"}}, {3, {3, "c"}}});
        create(kShadow, schema(false), true);
        write_both(20, {{1, {11, ""}}, {4, {44, ""}}}, {kKey, kNumber});
        write_both(21, {{2, {0, "", 1}}, {3, {33, "C"}}});
        write_both(22, {{2, {0, "no"}}, {3, {0, "CC"}}}, {kKey, kText}, 100000, true);
        for (int64_t i = 0; i < 3; ++i) {
            publish(20 + i, kBase, 3 + i);
            publish(20 + i, kShadow, 3 + i);
        }
    }
};

TEST_F(DoubleWriteCrashTest, Victim) {
    const auto self = victim();
    if (!self.has_value()) {
        GTEST_SKIP() << "runs in a process of its own, started by the other test";
    }
    open_engine_in(self->directory);
    prepare();
    ASSERT_TRUE(debug_points().add(self->point, {{"action", "kill"}}).ok());
    ASSERT_TRUE(convert(2).ok());
}

TEST_F(DoubleWriteCrashTest, EveryDebugPointLeavesTheWritesToBeSettled) {
    for (const char* point :
         {"TabletWriter.commit.done",
          "SchemaChange.commit",
          "SchemaChange.settled",
          "SchemaChange.commit.done"}) {
        SCOPED_TRACE(point);
        kill_victim("DoubleWriteCrashTest.Victim", point);
        open_engine();
        const bool is_done = std::string_view(point) == "SchemaChange.commit.done";
        EXPECT_EQ(engine().is_converted(kShadow), is_done);
        ASSERT_TRUE(convert(2).ok());
        const Table wanted{{1, {1011, "new a"}}, {3, {1033, "new CC"}}, {4, {1044, "NULL"}}};
        EXPECT_EQ(live(kShadow, 5), wanted);
        open_engine();
        EXPECT_EQ(live(kShadow, 5), wanted);
        EXPECT_EQ(live(kShadow, 5), expected(5));
        int64_t segments = 0;
        for (const TabletReport& report : engine().tablet_reports({})) {
            segments += report.num_segments;
        }
        EXPECT_EQ(static_cast<int64_t>(num_files()), segments);
        empty_directory();
    }
}

}  // namespace
}  // namespace thetis::merge_on_write
