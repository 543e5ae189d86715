// SPDX-License-Identifier: Apache-2.0
// Random histories of loads, deletes, updates, schema changes, compactions and restarts against a
// reference of a few lines. THETIS_MODEL_HISTORIES and THETIS_MODEL_SEED choose how many and which;
// a failure names its seed.
#include <cstdlib>
#include <random>

#include "storage/tablet/point_reader.h"
#include "storage/tablet/tablet.h"
#include "storage/testing/reference_table.h"
#include "storage/testing/storage_fixture.h"

namespace thetis {
namespace {

constexpr int kDefaultHistories = 120;
constexpr int kSteps = 24;
constexpr int64_t kNumKeys = 40;

enum class RowStore : uint8_t { kNone, kWhole, kChosen };

struct Flavor {
    const char* name;
    KeysModel model;
    bool merge_on_write;
    bool has_sequence;
    RowStore row_store = RowStore::kNone;
};

constexpr Flavor kFlavors[] = {
    {"DUPLICATE", KeysModel::kDuplicate, false, false},
    {"AGGREGATE", KeysModel::kAggregate, false, false},
    {"UNIQUE merge-on-read", KeysModel::kUnique, false, false},
    {"UNIQUE merge-on-read with sequence", KeysModel::kUnique, false, true},
    {"UNIQUE merge-on-write", KeysModel::kUnique, true, false},
    {"UNIQUE merge-on-write with sequence", KeysModel::kUnique, true, true},
    {"UNIQUE merge-on-write with row store", KeysModel::kUnique, true, false, RowStore::kWhole},
    {"UNIQUE merge-on-write with sequence and row store of some columns",
     KeysModel::kUnique,
     true,
     true,
     RowStore::kChosen}
};

int from_environment(const char* name, int otherwise) {
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : std::atoi(text);
}

class ModelTest : public StorageFixture {
protected:
    void run(const Flavor& flavor, uint32_t seed);

private:
    /// A load that was written and waits for its version.
    struct Pending {
        int64_t txn_id = 0;
        TableChange change{};
        std::unique_ptr<TabletWriter> writer{};  ///< Not closed yet.
    };

    int64_t pick(int64_t below) {
        return static_cast<int64_t>(random_() % static_cast<uint64_t>(below));
    }

    void begin(const Flavor& flavor);
    void step();
    void write_rows(bool is_partial);
    void publish_next();
    void delete_rows();
    void add_row_store();
    void add_column();
    void drop_column();
    void compact();
    void switch_row_store_on();
    void check(int64_t version);
    /// Keys, looked up, give what the scan gave: all of them without the cache, some of them with
    /// it. `rows` are the texts of `ids` by the first two, which are the key.
    void check_lookups(
        int64_t version, const std::vector<int32_t>& ids, const std::vector<std::string>& rows
    );
    void look_up_all(
        const PointColumns& columns,
        const std::vector<int32_t>& ids,
        const PointView& view,
        const std::map<std::string, std::vector<std::string>>& expected,
        RowCache* cache
    );
    Cell random_cell(const SchemaColumn& column);

    std::mt19937 random_;
    Flavor flavor_{};
    int64_t tablet_id_ = 0;
    int64_t next_txn_ = 1;
    int64_t version_ = 1;
    int32_t next_column_ = 20;
    TabletSchemaDefinition definition_;
    TabletSchemaPtr schema_;
    std::unique_ptr<ReferenceTable> reference_;
    RowCache row_cache_{size_t{4} << 20};  // Of all histories.
    std::vector<Pending> pending_;
    std::map<int64_t, std::vector<std::string>> earlier_;  // What versions gave.
};

void ModelTest::begin(const Flavor& flavor) {
    flavor_ = flavor;
    ++tablet_id_;
    version_ = 1;
    next_column_ = 20;
    pending_.clear();
    earlier_.clear();
    const bool is_aggregate = flavor.model == KeysModel::kAggregate;
    const auto aggregation = [&](const char* name) {
        return std::string(is_aggregate ? name : "");
    };
    definition_ = {};
    definition_.table_id = tablet_id_;
    definition_.keys_model = flavor.model;
    definition_.merge_on_write = flavor.merge_on_write;
    definition_.num_short_key_columns = 1;
    definition_.columns = {
        {.unique_id = 0, .name = "k", .type = DataType::of(TypeId::kBigint, false), .is_key = true},
        {.unique_id = 1, .name = "l", .type = DataType::varchar(20), .is_key = true},
        {.unique_id = 10,
         .name = "a",
         .type = DataType::of(TypeId::kBigint),
         .aggregation = aggregation("SUM")},
        {.unique_id = 11,
         .name = "b",
         .type = DataType::of(TypeId::kBigint),
         .aggregation = aggregation("MAX")},
        {.unique_id = 12,
         .name = "s",
         .type = DataType::varchar(40),
         .aggregation = aggregation("REPLACE")},
        {.unique_id = 13,
         .name = "t",
         .type = DataType::varchar(40),
         .aggregation = aggregation("REPLACE_IF_NOT_NULL")}
    };
    if (flavor.model == KeysModel::kUnique) {
        definition_.delete_sign_id = ReferenceTable::kDeleteSign;
        definition_.columns.push_back(
            {.unique_id = ReferenceTable::kDeleteSign,
             .name = "__DORIS_DELETE_SIGN__",
             .type = DataType::of(TypeId::kTinyint, false),
             .is_hidden = true}
        );
        if (flavor.has_sequence) {
            definition_.sequence_id = ReferenceTable::kSequence;
            definition_.columns.push_back(
                {.unique_id = ReferenceTable::kSequence,
                 .name = "__DORIS_SEQUENCE_COL__",
                 .type = DataType::of(TypeId::kBigint),
                 .is_hidden = true}
            );
        }
        definition_.version_id = ReferenceTable::kVersion;
        definition_.columns.push_back(
            {.unique_id = ReferenceTable::kVersion,
             .name = "__DORIS_VERSION_COL__",
             .type = DataType::of(TypeId::kBigint, false),
             .is_hidden = true}
        );
    }
    if (flavor.row_store == RowStore::kChosen) {
        definition_.row_store_column_ids = {10, 12};
    }
    if (flavor.row_store != RowStore::kNone) {
        add_row_store();
    }
    schema_ = TabletSchema::create(definition_).take();
    reference_ = std::make_unique<ReferenceTable>(schema_);
    CreateTabletRequest request;
    request.tablet_id = tablet_id_;
    request.schema = schema_;
    const Status status = engine().create_tablet(request);
    ASSERT_TRUE(status.ok()) << status.to_string();
}

void ModelTest::add_row_store() {
    definition_.row_store_id = ReferenceTable::kRowStore;
    definition_.columns.push_back(
        {.unique_id = ReferenceTable::kRowStore,
         .name = "__DORIS_ROW_STORE_COL__",
         .type = DataType::of(TypeId::kString, false),
         .is_hidden = true}
    );
}

void ModelTest::switch_row_store_on() {
    if (!flavor_.merge_on_write || definition_.row_store_id.has_value()) {
        return;
    }
    ++definition_.schema_version;
    add_row_store();
    schema_ = TabletSchema::create(definition_).take();
    reference_->set_schema(schema_);
}

Cell ModelTest::random_cell(const SchemaColumn& column) {
    if (column.type.nullable && pick(6) == 0) {
        return std::nullopt;
    }
    if (column.unique_id == 0) {
        return pick(kNumKeys);
    }
    if (column.unique_id == 1) {
        return std::string(pick(2) == 0 ? "x" : "a longer second part");
    }
    if (column.unique_id == ReferenceTable::kDeleteSign) {
        return int64_t{pick(5) == 0 ? 1 : 0};
    }
    if (column.type.is_string()) {
        return fmt::format("value {} of some length", pick(1000));
    }
    return pick(50);
}

void ModelTest::write_rows(bool is_partial) {
    TableChange change;
    change.is_partial = is_partial;
    std::vector<SchemaColumn> columns;
    for (const SchemaColumn& column : schema_->columns()) {
        const bool is_left_out =
            column.unique_id == ReferenceTable::kVersion ||
            column.unique_id == ReferenceTable::kRowStore ||
            (is_partial && !column.is_key && column.unique_id != ReferenceTable::kSequence &&
             (column.unique_id == ReferenceTable::kDeleteSign || pick(2) == 0));
        if (!is_left_out) {
            columns.push_back(column);
            change.column_ids.push_back(column.unique_id);
        }
    }
    const int64_t txn_id = next_txn_++;
    WriterOptions options{.txn_id = txn_id, .load_id = "load"};
    options.schema = schema_;
    options.column_unique_ids = change.column_ids;
    options.partial_update = is_partial;
    options.write_buffer_bytes = pick(2) == 0 ? 1 : 0;  // A segment per batch, or one for all.
    auto writer = engine().open_writer(tablet_id_, options);
    ASSERT_TRUE(writer.ok()) << writer.status().to_string();
    for (int64_t batches = 1 + pick(3); batches > 0; --batches) {
        const auto num_rows = static_cast<uint32_t>(1 + pick(pick(8) == 0 ? 300 : 12));
        std::vector<ColumnBuilder> builders;
        for (const SchemaColumn& column : columns) {
            builders.emplace_back(column.type);
        }
        for (uint32_t row = 0; row < num_rows; ++row) {
            std::vector<Cell> cells;
            for (size_t i = 0; i < columns.size(); ++i) {
                cells.push_back(random_cell(columns[i]));
                append_cell(cells.back(), columns[i].type, builders[i]);
            }
            change.rows.push_back(std::move(cells));
        }
        Batch batch;
        batch.num_rows = num_rows;
        for (ColumnBuilder& builder : builders) {
            batch.columns.push_back(builder.finish());
        }
        const Status status = (*writer)->append(batch);
        ASSERT_TRUE(status.ok()) << status.to_string();
    }
    if (pick(4) == 0) {
        // Others commit and compactions run meanwhile.
        pending_.push_back({txn_id, std::move(change), writer.take()});
        return;
    }
    const Status status = (*writer)->close();
    ASSERT_TRUE(status.ok()) << status.to_string();
    if (pick(12) == 0) {
        ASSERT_TRUE(engine().clear_transaction(txn_id).ok());
        return;
    }
    pending_.push_back({txn_id, std::move(change), nullptr});
}

void ModelTest::delete_rows() {
    const int64_t bound = pick(kNumKeys);
    const int64_t txn_id = next_txn_++;
    const Status status = engine().delete_data(
        {.txn_id = txn_id, .tablet_id = tablet_id_, .condition = fmt::format("0 < {}", bound)}
    );
    ASSERT_TRUE(status.ok()) << status.to_string();
    TableChange change;
    change.delete_below = bound;
    pending_.push_back({txn_id, std::move(change), nullptr});
}

void ModelTest::publish_next() {
    if (pending_.empty()) {
        return;
    }
    // Not always in the order of the commits.
    const auto chosen = pending_.begin() + pick(static_cast<int64_t>(pending_.size()));
    if (chosen->writer != nullptr) {
        const Status status = chosen->writer->close();
        ASSERT_TRUE(status.ok()) << status.to_string();
    }
    ++version_;
    publish(chosen->txn_id, tablet_id_, version_);
    reference_->apply(chosen->change);
    pending_.erase(chosen);
    earlier_[version_] = reference_->rows();
}

void ModelTest::add_column() {
    const bool is_aggregate = flavor_.model == KeysModel::kAggregate;
    SchemaColumn column{
        .unique_id = next_column_,
        .name = fmt::format("added{}", next_column_),
        .type = DataType::of(TypeId::kBigint),
        .aggregation = is_aggregate ? "MAX" : ""
    };
    if (pick(2) == 0) {
        column.default_value = Scalar::integer(column.type, 7).to_column();
    }
    ++next_column_;
    ++definition_.schema_version;
    const auto first_hidden = std::find_if(
        definition_.columns.begin(),
        definition_.columns.end(),
        [](const SchemaColumn& each) { return each.is_hidden; }
    );
    definition_.columns.insert(first_hidden, std::move(column));
    schema_ = TabletSchema::create(definition_).take();
    reference_->set_schema(schema_);
}

void ModelTest::drop_column() {
    std::vector<size_t> values;
    for (size_t i = 0; i < definition_.columns.size(); ++i) {
        if (!definition_.columns[i].is_key && !definition_.columns[i].is_hidden) {
            values.push_back(i);
        }
    }
    if (values.size() < 2) {
        return;
    }
    const size_t chosen = values[static_cast<size_t>(pick(static_cast<int64_t>(values.size())))];
    const std::vector<int32_t> only{definition_.columns[chosen].unique_id};
    if (definition_.row_store_column_ids == only) {
        return;  // None chosen would mean every column.
    }
    std::erase(definition_.row_store_column_ids, only.front());
    definition_.columns.erase(definition_.columns.begin() + static_cast<ptrdiff_t>(chosen));
    ++definition_.schema_version;
    schema_ = TabletSchema::create(definition_).take();
    reference_->set_schema(schema_);
}

void ModelTest::compact() {
    const auto kind = static_cast<CompactionKind>(pick(3));
    const auto merged = pick(3) == 0 ? engine().compact_tablet(tablet_id_)
                                     : engine().compact_tablet(tablet_id_, kind);
    ASSERT_TRUE(merged.ok()) << to_string(kind) << ": " << merged.status().to_string();
}

void ModelTest::check(int64_t version) {
    ReadOptions options;
    for (const SchemaColumn& column : schema_->columns()) {
        if (column.unique_id != ReferenceTable::kVersion &&
            column.unique_id != ReferenceTable::kRowStore) {
            options.column_unique_ids.push_back(column.unique_id);
        }
    }
    options.schema = schema_;
    if (flavor_.model == KeysModel::kUnique) {
        const DataType type = DataType::of(TypeId::kTinyint, false);
        options.predicates.push_back(
            {.column_unique_id = ReferenceTable::kDeleteSign,
             .op = PredicateOp::kEq,
             .values = Scalar::integer(type, 0).to_column()}
        );
    }
    const auto reader = engine().open_reader(tablet_id_, version, options);
    if (version < version_ && reader.status().code() == ErrorCode::kMissingVersion) {
        return;  // A compaction and a restart have joined it with later ones.
    }
    ASSERT_TRUE(reader.ok()) << reader.status().to_string();
    std::vector<std::string> rows;
    for (const ScanSplit& split : (*reader)->splits()) {
        auto split_rows = (*reader)->read(split);
        ASSERT_TRUE(split_rows.ok()) << split_rows.status().to_string();
        Batch batch;
        for (;;) {
            const auto more = (*split_rows)->next(batch);
            ASSERT_TRUE(more.ok()) << more.status().to_string();
            if (!*more) {
                break;
            }
            for (uint32_t i = 0; i < batch.num_selected(); ++i) {
                std::string text;
                for (const ColumnPtr& column : batch.columns) {
                    text += Scalar::from_column(*column, batch.row_at(i)).to_string() + "|";
                }
                rows.push_back(std::move(text));
            }
        }
    }
    if (flavor_.merge_on_write) {
        check_lookups(version, options.column_unique_ids, rows);
    }
    std::sort(rows.begin(), rows.end());
    const auto& expected = version == version_ ? reference_->rows() : earlier_[version];
    std::vector<std::string> surplus;
    std::set_difference(
        rows.begin(), rows.end(), expected.begin(), expected.end(), std::back_inserter(surplus)
    );
    std::vector<std::string> missing;
    std::set_difference(
        expected.begin(), expected.end(), rows.begin(), rows.end(), std::back_inserter(missing)
    );
    ASSERT_TRUE(surplus.empty() && missing.empty())
        << "at version " << version << " of " << version_ << "\nsurplus "
        << ::testing::PrintToString(surplus) << "\nmissing " << ::testing::PrintToString(missing);
}

void ModelTest::check_lookups(
    int64_t version, const std::vector<int32_t>& ids, const std::vector<std::string>& rows
) {
    std::map<std::string, std::vector<std::string>> expected;
    for (const std::string& row : rows) {
        std::vector<std::string> texts;
        for (size_t begin = 0; begin < row.size();) {
            const size_t end = row.find('|', begin);
            texts.push_back(row.substr(begin, end - begin));
            begin = end + 1;
        }
        expected[texts[0] + "|" + texts[1]] = std::move(texts);
    }
    std::vector<int32_t> chosen;
    for (const int32_t id : ids) {
        if (pick(3) != 0) {
            chosen.push_back(id);
        }
    }
    std::shuffle(chosen.begin(), chosen.end(), random_);
    const auto columns = PointColumns::create(schema_, chosen);
    ASSERT_TRUE(columns.ok()) << columns.status().to_string();
    const auto view = engine().find_tablet(tablet_id_)->point_view(version);
    ASSERT_TRUE(view.ok()) << view.status().to_string();
    std::map<std::string, std::vector<std::string>> wanted;
    for (const auto& [key, texts] : expected) {
        for (const int32_t id : chosen) {
            const auto at = std::find(ids.begin(), ids.end(), id) - ids.begin();
            wanted[key].push_back(texts[static_cast<size_t>(at)]);
        }
        wanted[key].emplace_back();  // Also rows of no columns are there.
    }
    look_up_all(**columns, chosen, **view, wanted, &row_cache_);
    if (pick(3) == 0 && !HasFatalFailure()) {
        look_up_all(**columns, chosen, **view, wanted, nullptr);
    }
}

void ModelTest::look_up_all(
    const PointColumns& columns,
    const std::vector<int32_t>& ids,
    const PointView& view,
    const std::map<std::string, std::vector<std::string>>& expected,
    RowCache* cache
) {
    const auto tablet = engine().find_tablet(tablet_id_);
    PointReader reader;
    for (int64_t k = -1; k <= kNumKeys; ++k) {
        for (const std::string l : {"x", "a longer second part", ""}) {
            // Keys that are left out for a while have entries of old versions in the cache.
            if (cache != nullptr && pick(4) != 0) {
                continue;
            }
            SCOPED_TRACE(fmt::format(
                "key {}, {} at version {} {} cache",
                k,
                l,
                view.version(),
                cache ? "with" : "without"
            ));
            std::string packed(reinterpret_cast<const char*>(&k), sizeof(k));
            const auto size = static_cast<uint32_t>(l.size());
            packed.append(reinterpret_cast<const char*>(&size), sizeof(size));
            packed += l;
            std::string key;
            ASSERT_TRUE(columns.encode_key(packed, key).ok());
            const auto is_there = reader.find(*tablet, view, columns, key, cache);
            ASSERT_TRUE(is_there.ok()) << is_there.status().to_string();
            const auto found = expected.find(fmt::format("{}|{}", k, l));
            ASSERT_EQ(*is_there, found != expected.end());
            for (size_t i = 0; *is_there && i < ids.size(); ++i) {
                const RowCell& cell = reader.cells()[i];
                std::string text = "NULL";
                if (cell.state == RowCell::State::kValue) {
                    ColumnBuilder builder(columns.type(i));
                    visit_physical(columns.type(i).physical(), [&]<typename T>(T) {
                        if constexpr (std::is_same_v<T, StringRef>) {
                            builder.append_string({cell.data, cell.size_bytes});
                        } else {
                            T value;
                            std::memcpy(&value, cell.data, sizeof(value));
                            builder.append<T>(value);
                        }
                    });
                    text = Scalar::from_column(*builder.finish(), 0).to_string();
                }
                ASSERT_EQ(text, found->second[i]) << "column of unique id " << ids[i];
            }
        }
    }
}

void ModelTest::step() {
    switch (pick(12)) {
        case 0:
        case 1:
        case 2:
            write_rows(false);
            break;
        case 3:
            if (flavor_.merge_on_write) {
                write_rows(true);
            } else if (flavor_.model != KeysModel::kUnique) {
                delete_rows();
            }
            break;
        case 4:
        case 5:
        case 6:
            publish_next();
            break;
        case 7:
        case 8:
            compact();
            break;
        case 9:
            switch (pick(5)) {
                case 0:
                case 1:
                    add_column();
                    break;
                case 2:
                case 3:
                    drop_column();
                    break;
                default:
                    switch_row_store_on();
                    break;
            }
            // Earlier versions are compared under the schema they had.
            earlier_.clear();
            break;
        case 10:
            if (pick(3) == 0) {
                // Of what was not committed nothing stays.
                std::erase_if(pending_, [](const Pending& each) { return each.writer != nullptr; });
                open_engine();
            }
            break;
        default:
            if (!earlier_.empty()) {
                check(std::max(earlier_.begin()->first, version_ - 1 - pick(2)));
            }
            break;
    }
    if (!HasFatalFailure()) {
        check(version_);
    }
}

void ModelTest::run(const Flavor& flavor, uint32_t seed) {
    SCOPED_TRACE(fmt::format("{}, THETIS_MODEL_SEED={}", flavor.name, seed));
    random_.seed(seed);
    begin(flavor);
    for (int i = 0; i < kSteps && !HasFatalFailure(); ++i) {
        SCOPED_TRACE(fmt::format("step {}", i));
        step();
    }
    pending_.clear();
    if (!HasFatalFailure()) {
        ASSERT_TRUE(engine().drop_tablet(tablet_id_).ok());
    }
}

TEST_F(ModelTest, HistoriesGiveWhatTheReferenceGives) {
    const int histories = from_environment("THETIS_MODEL_HISTORIES", kDefaultHistories);
    const int given_seed = from_environment("THETIS_MODEL_SEED", -1);
    const auto first = given_seed >= 0 ? static_cast<uint32_t>(given_seed)
                                       : std::random_device()() % 1'000'000'000;
    std::printf("first seed %u, histories %d\n", first, histories);
    open_engine();
    for (int i = 0; i < histories && !HasFatalFailure(); ++i) {
        const uint32_t seed = first + static_cast<uint32_t>(i);
        run(kFlavors[seed % std::size(kFlavors)], seed);
    }
}

}  // namespace
}  // namespace thetis
