// SPDX-License-Identifier: Apache-2.0
// Merge-on-write loads against a map: one row per key, whatever the order, sequences, partial
// updates, concurrency and restarts.
#include <random>
#include <thread>

#include "storage/testing/merge_on_write_fixture.h"

namespace thetis::merge_on_write {
namespace {

using MergeOnWriteTest = MergeOnWriteFixture;

TEST_F(MergeOnWriteTest, LaterVersionsReplaceAndEarlierOnesStayReadable) {
    open_engine();
    create(1, schema(false));
    load(1, 2, {{1, {10, "a"}}, {2, {20, "b"}}, {3, {30, "c"}}});
    load(1, 3, {{2, {21, "bb"}}, {4, {40, "d"}}});
    load(1, 4, {{2, {22, "bbb"}}, {1, {11, "aa", 1}}});
    const Table second{{1, {10, "a"}}, {2, {20, "b"}}, {3, {30, "c"}}};
    const Table third{{1, {10, "a"}}, {2, {21, "bb"}}, {3, {30, "c"}}, {4, {40, "d"}}};
    const Table fourth{{1, {11, "aa", 1}}, {2, {22, "bbb"}}, {3, {30, "c"}}, {4, {40, "d"}}};
    for (int round = 0; round < 2; ++round) {
        EXPECT_EQ(read(1, 2), second);
        EXPECT_EQ(read(1, 3), third);
        EXPECT_EQ(read(1, 4), fourth);
        EXPECT_EQ(engine().tablet_reports(std::array{int64_t{1}})[0].num_rows, 4);
        open_engine();
    }
}

TEST_F(MergeOnWriteTest, WithinALoadTheLastOrTheLargestSequenceStays) {
    open_engine();
    create(1, schema(false));
    load(1, 2, {{1, {1, "a"}}, {2, {2, "b"}}, {1, {3, "c"}}, {1, {4, "d"}}}, 1);
    EXPECT_EQ(read(1, 2), (Table{{1, {4, "d"}}, {2, {2, "b"}}}));
    create(2, schema(true));
    const Rows rows{
        {1, {1, "a", 0, 5}},
        {1, {2, "b", 0, 9}},
        {1, {3, "c", 0, 7}},
        {1, {4, "d", 0, 9}},
        {2, {5, "e", 0, 1}},
        {1, {6, "f", 0, 8}}
    };
    const Table expected{{1, {4, "d", 0, 9}}, {2, {5, "e", 0, 1}}};
    load(2, 2, rows, 1);
    EXPECT_EQ(read(2, 2), expected);
    create(3, schema(true));
    load(3, 2, rows);
    EXPECT_EQ(read(3, 2), expected);
    EXPECT_EQ(engine().tablet_reports(std::array{int64_t{3}})[0].num_rows, 2);
}

TEST_F(MergeOnWriteTest, NewRowsOfAPartialUpdateHaveTheValuesThatCameWithIt) {
    open_engine();
    create(1, schema(false));
    load(1, 2, {{1, {10, "a"}}, {2, {20, "b"}}});
    const auto commit = [&](int64_t txn_id, const Rows& rows, std::optional<std::string> text) {
        WriterOptions options;
        options.txn_id = txn_id;
        options.load_id = "load";
        options.partial_update = true;
        options.column_unique_ids = {kKey, kNumber};
        options.new_values = {{.column_unique_id = kText, .bytes = std::move(text)}};
        auto writer = engine().open_writer(1, options).take();
        ASSERT_TRUE(writer->append(batch_of(rows, 0, rows.size(), options.column_unique_ids)).ok());
        const Status closed = writer->close();
        ASSERT_TRUE(closed.ok()) << closed.to_string();
    };
    commit(500, {{1, {11, ""}}, {3, {31, ""}}}, "new");
    commit(501, {{2, {22, ""}}, {4, {42, ""}}}, std::nullopt);
    // Published first: key 1 is a new one by then, and the process has only what it recorded.
    load(1, 3, {{1, {0, "", 1}}});
    open_engine();
    publish(500, 1, 4);
    publish(501, 1, 5);
    EXPECT_EQ(
        read(1, 5), (Table{{1, {11, "new"}}, {2, {22, "b"}}, {3, {31, "new"}}, {4, {42, "NULL"}}})
    );
}

TEST_F(MergeOnWriteTest, ASmallerSequenceLosesToWhatIsThere) {
    open_engine();
    create(1, schema(true));
    load(1, 2, {{1, {1, "a", 0, 10}}, {2, {2, "b", 0, 10}}, {3, {3, "c", 0, 10}}});
    load(1, 3, {{1, {4, "d", 0, 9}}, {2, {5, "e", 0, 10}}, {3, {6, "f", 1, 11}}});
    load(1, 4, {{1, {7, "g", 0, 11}}, {3, {8, "h", 0, 10}}});
    EXPECT_EQ(
        read(1, 3), (Table{{1, {1, "a", 0, 10}}, {2, {5, "e", 0, 10}}, {3, {6, "f", 1, 11}}})
    );
    const Table last{{1, {7, "g", 0, 11}}, {2, {5, "e", 0, 10}}, {3, {6, "f", 1, 11}}};
    EXPECT_EQ(read(1, 4), last);
    open_engine();
    EXPECT_EQ(read(1, 4), last);
}

TEST_F(MergeOnWriteTest, LoadsThatRanAtOnceAreResolvedWhenPublished) {
    open_engine();
    create(1, schema(true));
    load(1, 2, {{1, {1, "a", 0, 1}}});
    for (int64_t txn = 10; txn < 13; ++txn) {
        // Transaction 11 has the largest sequence, in the middle of the versions.
        const int64_t sequence = txn == 11 ? 9 : 5;
        ASSERT_TRUE(write_rows(1, txn, {{1, {txn, "x", 0, sequence}}, {txn, {0, "y", 0, 0}}}).ok());
    }
    EXPECT_EQ(publish_status(11, 1, 4).code(), ErrorCode::kMissingVersion);
    publish(10, 1, 3);
    EXPECT_EQ(read(1, 3).at(1).number, 10);
    publish(11, 1, 4);
    open_engine();
    publish(12, 1, 5);
    publish(12, 1, 5);
    const Table table = read(1, 5);
    EXPECT_EQ(table.at(1).number, 11);
    EXPECT_EQ(table.size(), 4U);
}

TEST_F(MergeOnWriteTest, AShadowTakesVersionsInAnyOrder) {
    open_engine();
    create(1, schema(false), true);
    ASSERT_TRUE(write_rows(1, 10, {{1, {1, "a"}}}).ok());
    publish(10, 1, 7);
}

TEST_F(MergeOnWriteTest, APartialUpdateKeepsTheOtherColumns) {
    for (const bool with_row_store : {false, true}) {
        open_engine();
        const int64_t tablet = with_row_store ? 2 : 1;
        create(tablet, schema(true, with_row_store));
        load(tablet, 2, {{1, {1, "a", 0, 3}}, {2, {2, "b", 0, 4}}, {3, {3, "c", 1, 5}}});
        ASSERT_TRUE(
            write_rows(tablet, 20, {{3, {33, ""}}, {2, {22, ""}}, {9, {99, ""}}}, {kKey, kNumber})
                .ok()
        );
        publish(20, tablet, 3);
        const Table expected{
            {1, {1, "a", 0, 3}},
            {2, {22, "b", 0, 4}},
            {3, {33, "NULL", 0, 5}},
            {9, {99, "NULL", 0, 0}}
        };
        EXPECT_EQ(read(tablet, 3), expected);
    }
}

TEST_F(MergeOnWriteTest, AnUpdateOfExistingRowsLeavesOthersOut) {
    for (const bool with_row_store : {false, true}) {
        open_engine();
        const int64_t tablet = with_row_store ? 2 : 1;
        create(tablet, schema(true, with_row_store));
        load(tablet, 2, {{1, {1, "a", 0, 3}}, {2, {2, "b", 0, 4}}, {3, {3, "c", 1, 5}}});
        // 3 has the delete sign, 7 was never there; keys arrive unsorted, over several segments.
        const Rows sent{{7, {0, "y"}}, {2, {0, "z"}}, {3, {0, "x"}}, {1, {0, "w"}}};
        for (const size_t rows_per_segment : {size_t{100}, size_t{1}}) {
            const int64_t version = rows_per_segment == 1 ? 4 : 3;
            const Status status =
                write_rows(tablet, 20 + version, sent, {kKey, kText}, rows_per_segment, true);
            ASSERT_TRUE(status.ok()) << status.to_string();
            publish(20 + version, tablet, version);
            const Table expected{{1, {1, "w", 0, 3}}, {2, {2, "z", 0, 4}}, {3, {3, "c", 1, 5}}};
            EXPECT_EQ(read(tablet, version), expected);
        }
        // Nothing is left of a load of missing keys only.
        ASSERT_TRUE(
            write_rows(tablet, 30, {{8, {0, "n"}}, {9, {0, "n"}}}, {kKey, kText}, 100, true).ok()
        );
        publish(30, tablet, 5);
        EXPECT_EQ(read(tablet, 5).size(), 3U);
    }
}

TEST_F(MergeOnWriteTest, AnUpdateOfExistingRowsLeavesOutWhatIsDeletedMeanwhile) {
    for (const bool restart : {false, true}) {
        open_engine();
        const int64_t tablet = restart ? 2 : 1;
        create(tablet, schema(false));
        load(tablet, 2, {{1, {1, "a"}}, {2, {2, "b"}}, {3, {3, "c"}}});
        ASSERT_TRUE(
            write_rows(tablet, 20, {{1, {0, "A"}}, {2, {0, "B"}}}, {kKey, kText}, 100, true).ok()
        );
        ASSERT_TRUE(write_rows(tablet, 21, {{3, {0, "C"}}}, {kKey, kText}, 100, true).ok());
        load(tablet, 3, {{1, {1, "a", 1}}, {2, {22, "bb"}}, {3, {3, "c", 1}}});
        if (restart) {
            open_engine();
        }
        publish(20, tablet, 4);
        EXPECT_EQ(read(tablet, 4).at(2), (Row{22, "B"}));
        EXPECT_EQ(read(tablet, 4).at(1).sign, 1);
        // All rows of this one are gone.
        publish(21, tablet, 5);
        EXPECT_EQ(read(tablet, 5).at(3).sign, 1);
        open_engine();
        EXPECT_EQ(read(tablet, 5).at(1).sign, 1);
        EXPECT_EQ(read(tablet, 5).at(2), (Row{22, "B"}));
        EXPECT_EQ(read(tablet, 5).at(3).sign, 1);
    }
}

TEST_F(MergeOnWriteTest, PartialUpdatesOfOneRowAtOnceAreAllKept) {
    for (const bool restart : {false, true}) {
        open_engine();
        const int64_t tablet = restart ? 2 : 1;
        create(tablet, schema(false, restart));
        load(tablet, 2, {{1, {1, "a"}}, {2, {2, "b"}}, {3, {3, "c"}}});
        ASSERT_TRUE(write_rows(tablet, 20, {{1, {11, ""}}, {2, {12, ""}}}, {kKey, kNumber}).ok());
        ASSERT_TRUE(write_rows(tablet, 21, {{1, {0, "A"}}, {5, {0, "E"}}}, {kKey, kText}).ok());
        ASSERT_TRUE(write_rows(tablet, 22, {{5, {55, ""}}, {1, {13, ""}}}, {kKey, kNumber}).ok());
        if (restart) {
            open_engine();
        }
        publish(20, tablet, 3);
        publish(21, tablet, 4);
        publish(22, tablet, 5);
        const Table expected{{1, {13, "A"}}, {2, {12, "b"}}, {3, {3, "c"}}, {5, {55, "E"}}};
        EXPECT_EQ(read(tablet, 5), expected);
        EXPECT_EQ(read(tablet, 4).at(1), (Row{11, "A"}));
        open_engine();
        EXPECT_EQ(read(tablet, 5), expected);
    }
}

// The update read row 1, which then is deleted for good; what it did not send must not come back.
TEST_F(MergeOnWriteTest, ARowDeletedDuringAPartialUpdateStaysDeleted) {
    open_engine();
    create(1, schema(false));
    load(1, 2, {{1, {1, "a"}}, {2, {2, "b"}}, {3, {3, "c"}}});
    const std::vector<int32_t> columns{kKey, kNumber};
    auto writer = engine().open_writer(
        1,
        {.txn_id = 20,
         .load_id = "load",
         .column_unique_ids = columns,
         .partial_update = true,
         .write_buffer_bytes = 1}
    );
    ASSERT_TRUE(writer.ok()) << writer.status().to_string();
    const Rows updated{{1, {11, ""}}, {2, {12, ""}}};
    ASSERT_TRUE((*writer)->append(batch_of(updated, 0, 2, columns)).ok());
    load(1, 3, {{1, {0, "", 1}}, {3, {0, "", 1}}});
    ASSERT_TRUE(engine().compact_tablet(1, CompactionKind::kFull).take());
    EXPECT_EQ(read(1, 3).size(), 3U) << "two of them are delete-signed";
    ASSERT_TRUE((*writer)->close().ok());
    writer->reset();
    // Committed: it still needs them.
    load(1, 4, {{4, {4, "d"}}});
    ASSERT_TRUE(engine().compact_tablet(1, CompactionKind::kFull).take());
    EXPECT_EQ(read(1, 4).size(), 4U);
    publish(20, 1, 5);
    EXPECT_EQ(read(1, 5).at(1), (Row{11, "NULL"}));
    EXPECT_EQ(read(1, 5).at(2), (Row{12, "b"}));
    ASSERT_TRUE(engine().compact_tablet(1, CompactionKind::kFull).take());
    EXPECT_EQ(read(1, 5), (Table{{1, {11, "NULL"}}, {2, {12, "b"}}, {4, {4, "d"}}}));
    // A writer that was given up is none.
    {
        auto abandoned = engine().open_writer(
            1,
            {.txn_id = 21, .load_id = "load", .column_unique_ids = columns, .partial_update = true}
        );
        ASSERT_TRUE((*abandoned)->append(batch_of(updated, 0, 2, columns)).ok());
    }
    load(1, 6, {{4, {0, "", 1}}});
    ASSERT_TRUE(engine().compact_tablet(1, CompactionKind::kFull).take());
    EXPECT_EQ(read(1, 6).size(), 2U);
}

TEST_F(MergeOnWriteTest, ASequenceOfTextIsRefused) {
    TabletSchemaDefinition definition = schema(false)->definition();
    definition.sequence_id = kText;
    EXPECT_EQ(TabletSchema::create(definition).status().code(), ErrorCode::kInvalidArgument);
}

TEST_F(MergeOnWriteTest, ATabletTakesOverTheNewestSchemaOfItsLoads) {
    open_engine();
    create(1, schema(false));
    load(1, 2, {{1, {1, "a"}}});
    TabletSchemaDefinition definition = schema(false)->definition();
    definition.schema_version = 3;
    definition.columns[2].type.length = 5000;
    const TabletSchemaPtr widened = TabletSchema::create(definition).take();
    const std::string text(3000, 'x');
    for (const TabletSchemaPtr& sent : {widened, schema(false)}) {
        const int64_t version = sent == widened ? 3 : 4;
        WriterOptions options{.txn_id = version, .load_id = "load", .schema = sent};
        auto writer = engine().open_writer(1, options).take();
        const Rows rows{{version, {0, sent == widened ? text : "short"}}};
        ASSERT_TRUE(
            writer->append(batch_of(rows, 0, 1, std::array{kKey, kNumber, kText, kSign})).ok()
        );
        ASSERT_TRUE(writer->close().ok());
        publish(version, 1, version);
        EXPECT_EQ(engine().find_tablet(1)->schema()->schema_version(), 3);
    }
    open_engine();
    EXPECT_EQ(engine().find_tablet(1)->schema()->schema_hash(), widened->schema_hash());
    EXPECT_EQ(read(1, 4), (Table{{1, {1, "a"}}, {3, {0, text}}, {4, {0, "short"}}}));
}

TEST_F(MergeOnWriteTest, ManyThreadsUpsertTheSameKeys) {
    open_engine();
    create(1, schema(true));
    constexpr int kThreads = 8;
    constexpr int kLoads = 6;
    constexpr int64_t kKeys = 500;
    std::mutex mutex;  // Guards next_version: as the front end, versions are given in commit order.
    int64_t next_version = 2;
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
        threads.emplace_back([&, t] {
            std::mt19937_64 random(static_cast<uint64_t>(t));
            for (int i = 0; i < kLoads; ++i) {
                Rows rows;
                for (int64_t key = 0; key < kKeys; ++key) {
                    const auto sequence = static_cast<int64_t>(random() % 1000);
                    rows.push_back({key, {sequence * 3, "t", 0, sequence}});
                }
                const int64_t txn = 100 + t * kLoads + i;
                EXPECT_TRUE(write_rows(1, txn, rows, {}, 200).ok());
                int64_t version = 0;
                {
                    const std::lock_guard lock(mutex);
                    version = next_version++;
                }
                EXPECT_TRUE(publish_status(txn, 1, version).ok());
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    const Table table = read(1, next_version - 1);
    EXPECT_EQ(table.size(), static_cast<size_t>(kKeys));
    std::map<int64_t, int64_t> largest;
    for (int t = 0; t < kThreads; ++t) {
        std::mt19937_64 random(static_cast<uint64_t>(t));
        for (int i = 0; i < kLoads; ++i) {
            for (int64_t key = 0; key < kKeys; ++key) {
                largest[key] = std::max(largest[key], static_cast<int64_t>(random() % 1000));
            }
        }
    }
    for (const auto& [key, row] : table) {
        EXPECT_EQ(row.sequence, largest[key]) << key;
        EXPECT_EQ(row.number, row.sequence * 3);
    }
}

/// Random loads, some at once, some partial, with compactions and restarts between; every version
/// against the map.
TEST_F(MergeOnWriteTest, RandomHistoriesEqualAMap) {
    const char* given = std::getenv("THETIS_TEST_SEED");
    const uint64_t seed =
        given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device()();
    SCOPED_TRACE(fmt::format("THETIS_TEST_SEED={}", seed));
    std::mt19937_64 random(seed);
    int num_compactions = 0;
    for (int64_t tablet = 1; tablet <= 4; ++tablet) {
        const bool with_sequence = tablet % 2 == 0;
        open_engine();
        create(tablet, schema(with_sequence, tablet > 2));
        std::map<int64_t, Table> history{{1, {}}};
        int64_t version = 1;
        int64_t oldest = 1;  // What compactions replaced is readable until a restart.
        for (int round = 0; round < 10; ++round) {
            struct Load {
                Rows rows;
                std::vector<int32_t> columns;
            };

            std::vector<Load> loads(1 + random() % 3);
            const auto num_keys = static_cast<int64_t>(20 + random() % 2000);
            for (size_t i = 0; i < loads.size(); ++i) {
                if (!with_sequence && random() % 3 == 0) {
                    loads[i].columns =
                        random() % 2 == 0 ? std::vector{kKey, kNumber} : std::vector{kText, kKey};
                }
                for (size_t k = random() % 2000; k > 0; --k) {
                    const auto value = static_cast<int64_t>(random() % 100000);
                    loads[i].rows.push_back(
                        {static_cast<int64_t>(random()) % num_keys,
                         {value,
                          fmt::format("text {}", value),
                          random() % 10 == 0 ? 1 : 0,
                          with_sequence ? static_cast<int64_t>(random() % 20) : 0}}
                    );
                }
                const Status status = write_rows(
                    tablet,
                    10000 + version + static_cast<int64_t>(i),
                    loads[i].rows,
                    loads[i].columns,
                    random() % 2 == 0 ? 300 : 100000
                );
                ASSERT_TRUE(status.ok()) << status.to_string();
            }
            // Between commit and publish, as it comes.
            if (random() % 3 == 0) {
                const auto merged = engine().compact_tablet(tablet, CompactionKind::kCumulative);
                ASSERT_TRUE(merged.ok()) << merged.status().to_string();
                num_compactions += *merged ? 1 : 0;
            }
            if (random() % 4 == 0) {
                open_engine();
                oldest = version;
            }
            const int64_t first = version;
            for (size_t i = 0; i < loads.size(); ++i) {
                Table table = history.at(version);
                for (const auto& [key, row] : loads[i].rows) {
                    const auto present = table.find(key);
                    if (loads[i].columns.empty()) {
                        if (present == table.end() || present->second.sequence <= row.sequence) {
                            table[key] = row;
                        }
                        continue;
                    }
                    const bool is_there = present != table.end() && present->second.sign == 0;
                    Row changed = is_there ? present->second : Row{-1, "NULL"};
                    if (loads[i].columns[0] == kKey) {
                        changed.number = row.number;
                    } else {
                        changed.text = row.text;
                    }
                    table[key] = changed;
                }
                ++version;
                history[version] = std::move(table);
                publish(10000 + first + static_cast<int64_t>(i), tablet, version);
            }
            ASSERT_EQ(read(tablet, version), history.at(version)) << "version " << version;
        }
        for (const auto& [at, table] : history) {
            if (at >= oldest) {
                ASSERT_EQ(read(tablet, at), table) << "version " << at;
            }
        }
        open_engine();
        ASSERT_EQ(read(tablet, version), history.at(version)) << "after a restart";
    }
    EXPECT_GT(num_compactions, 0);
}

}  // namespace
}  // namespace thetis::merge_on_write
