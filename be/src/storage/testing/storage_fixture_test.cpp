// SPDX-License-Identifier: Apache-2.0
#include "storage/testing/storage_fixture.h"

#include <cstdlib>
#include <numeric>

#include <sys/wait.h>
#include <unistd.h>

#include "column/scalar.h"

namespace thetis {

namespace {

constexpr const char* kDirectoryVariable = "THETIS_CRASH_TEST_DIRECTORY";
constexpr const char* kPointVariable = "THETIS_CRASH_TEST_POINT";

/// `<unique id of a BIGINT column> < <number>`
class LessThanFilter final : public DeleteFilter {
public:
    LessThanFilter(int32_t unique_id, int64_t bound, ColumnTests tests)
        : DeleteFilter(std::move(tests), true), ids_{unique_id}, bound_(bound) {}

    const std::vector<int32_t>& column_unique_ids() const override { return ids_; }

    Status match(std::span<const ColumnPtr> columns, uint32_t num_rows, std::span<uint8_t> taken)
        const override {
        const ColumnView<int64_t> values(*columns[0]);
        for (uint32_t row = 0; row < num_rows; ++row) {
            taken[row] = values.is_valid(row) && values[row] < bound_ ? 1 : 0;
        }
        return {};
    }

private:
    const std::vector<int32_t> ids_;
    const int64_t bound_;
};

Result<DeleteFilterPtr> compile_test_filter(
    std::string_view condition, const TabletSchema& schema
) {
    int32_t unique_id = 0;
    long long bound = 0;
    if (std::sscanf(std::string(condition).c_str(), "%d < %lld", &unique_id, &bound) != 2 ||
        !schema.find_column(unique_id).has_value()) {
        return Status::error(ErrorCode::kInvalidArgument, "Not a condition: {}", condition);
    }
    const DataType type = DataType::of(TypeId::kBigint, false);
    DeleteFilter::ColumnTests tests;
    ASSIGN_OR_RETURN(
        auto test,
        PredicateEvaluator::create(
            {.column_unique_id = unique_id,
             .op = PredicateOp::kLt,
             .values = Scalar::integer(type, bound).to_column()},
            type
        )
    );
    tests.push_back(std::move(test));
    return DeleteFilterPtr(
        std::make_shared<const LessThanFilter>(unique_id, bound, std::move(tests))
    );
}

}  // namespace

StorageFixture::StorageFixture() {
    std::string pattern = (std::filesystem::temp_directory_path() / "storage_test_XXXXXX").string();
    directory_ = ::mkdtemp(pattern.data());
}

StorageFixture::~StorageFixture() {
    engine_.reset();
    std::filesystem::remove_all(directory_);
}

void StorageFixture::open_engine_in(const std::string& directory, int64_t capacity_bytes) {
    engine_.reset();
    StorageOptions options;
    options.config = &config_;
    options.debug_points = &debug_points_;
    options.background_interval_ms = 0;
    options.compile_filter = compile_test_filter;
    options.memory_limit_bytes = int64_t{1} << 30;
    options.on_tablets_changed = [this] { num_changes_.fetch_add(1); };
    auto opened =
        StorageEngine::open({{.path = directory, .capacity_bytes = capacity_bytes}}, options);
    ASSERT_TRUE(opened.ok()) << opened.status().to_string();
    engine_ = opened.take();
}

void StorageFixture::kill_victim(const std::string& test, const std::string& point) {
    const std::string filter = "--gtest_filter=" + test;
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        ::setenv(kDirectoryVariable, directory_.c_str(), 1);
        ::setenv(kPointVariable, point.c_str(), 1);
        ::execl("/proc/self/exe", "storage_test", filter.c_str(), static_cast<char*>(nullptr));
        ::_exit(1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
        << point << " was not reached, status " << status;
}

std::optional<StorageFixture::Victim> StorageFixture::victim() {
    const char* directory = std::getenv(kDirectoryVariable);
    const char* point = std::getenv(kPointVariable);
    return directory == nullptr || point == nullptr ? std::nullopt
                                                    : std::optional(Victim{directory, point});
}

void StorageFixture::empty_directory() {
    close_engine();
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directories(directory_);
}

TabletSchemaDefinition StorageFixture::definition() {
    TabletSchemaDefinition definition;
    definition.table_id = 10;
    definition.columns = {
        {.unique_id = 0, .name = "k", .type = DataType::of(TypeId::kBigint, false), .is_key = true},
        {.unique_id = 1, .name = "s", .type = DataType::varchar(100)},
        {.unique_id = 2, .name = "d", .type = DataType::of(TypeId::kDouble)},
        {.unique_id = 3, .name = "t", .type = DataType::of(TypeId::kInt)}
    };
    definition.num_short_key_columns = 1;
    return definition;
}

void StorageFixture::create_tablet(int64_t tablet_id) {
    CreateTabletRequest request;
    request.tablet_id = tablet_id;
    request.partition_id = tablet_id + 1000;
    request.schema = TabletSchema::create(definition()).take();
    const Status status = engine_->create_tablet(request);
    ASSERT_TRUE(status.ok()) << status.to_string();
}

Batch StorageFixture::make_rows(int64_t first, uint32_t num_rows) {
    ColumnBuilder keys(DataType::of(TypeId::kBigint, false));
    ColumnBuilder strings(DataType::varchar(100));
    ColumnBuilder reals(DataType::of(TypeId::kDouble));
    ColumnBuilder ints(DataType::of(TypeId::kInt));
    for (int64_t key = first; key < first + num_rows; ++key) {
        keys.append<int64_t>(key);
        if (key % 7 == 3) {
            strings.append_null();
        } else {
            strings.append_string(fmt::format("value number {}", key % 100));
        }
        reals.append<double>(static_cast<double>(key) / 4);
        ints.append<int32_t>(static_cast<int32_t>(key % 1000));
    }
    Batch batch;
    batch.num_rows = num_rows;
    batch.columns = {keys.finish(), strings.finish(), reals.finish(), ints.finish()};
    return batch;
}

std::vector<int64_t> StorageFixture::numbers(int64_t first, int64_t count) {
    std::vector<int64_t> result(static_cast<size_t>(count));
    std::iota(result.begin(), result.end(), first);
    return result;
}

std::unique_ptr<TabletWriter> StorageFixture::open_writer(
    int64_t tablet_id, int64_t txn_id, const std::string& load_id, int64_t write_buffer_bytes
) {
    auto writer = engine_->open_writer(
        tablet_id, {.txn_id = txn_id, .load_id = load_id, .write_buffer_bytes = write_buffer_bytes}
    );
    EXPECT_TRUE(writer.ok()) << writer.status().to_string();
    return writer.take();
}

void StorageFixture::write(int64_t tablet_id, int64_t txn_id, const Batch& rows) {
    auto writer = open_writer(tablet_id, txn_id, "load");
    for (uint32_t begin = 0; begin < rows.num_rows; begin += kMaxBatchRows) {
        Batch part;
        part.num_rows = std::min(kMaxBatchRows, rows.num_rows - begin);
        for (const ColumnPtr& column : rows.columns) {
            part.columns.push_back(slice(column, begin, part.num_rows));
        }
        const Status status = writer->append(part);
        ASSERT_TRUE(status.ok()) << status.to_string();
    }
    const Status status = writer->close();
    ASSERT_TRUE(status.ok()) << status.to_string();
}

Status StorageFixture::publish_status(int64_t txn_id, int64_t tablet_id, int64_t version) {
    const TabletVersion wanted{tablet_id, version};
    return engine_->publish_version(txn_id, {&wanted, 1}).front().status;
}

void StorageFixture::publish(int64_t txn_id, int64_t tablet_id, int64_t version) {
    const Status status = publish_status(txn_id, tablet_id, version);
    ASSERT_TRUE(status.ok()) << status.to_string();
}

void StorageFixture::load(int64_t tablet_id, int64_t txn_id, int64_t version, const Batch& rows) {
    write(tablet_id, txn_id, rows);
    publish(txn_id, tablet_id, version);
}

std::vector<int64_t> StorageFixture::keys_of(
    const TabletReader& reader, ScanStatistics* statistics
) {
    std::vector<int64_t> keys;
    if (statistics != nullptr) {
        statistics->add(reader.statistics());
    }
    for (const ScanSplit& split : reader.splits()) {
        auto rows = reader.read(split);
        EXPECT_TRUE(rows.ok()) << rows.status().to_string();
        Batch batch;
        for (;;) {
            const auto more = (*rows)->next(batch);
            EXPECT_TRUE(more.ok()) << more.status().to_string();
            if (!more.ok() || !*more) {
                break;
            }
            const ColumnView<int64_t> values(*batch.columns[0]);
            for (uint32_t i = 0; i < batch.num_selected(); ++i) {
                keys.push_back(values[batch.row_at(i)]);
            }
        }
        if (statistics != nullptr) {
            statistics->add((*rows)->statistics());
        }
    }
    std::sort(keys.begin(), keys.end());
    return keys;
}

std::vector<int64_t> StorageFixture::scan_keys(
    int64_t tablet_id, int64_t version, ReadOptions options, ScanStatistics* statistics
) {
    options.column_unique_ids = {0};
    const auto reader = engine_->open_reader(tablet_id, version, std::move(options));
    EXPECT_TRUE(reader.ok()) << reader.status().to_string();
    return reader.ok() ? keys_of(**reader, statistics) : std::vector<int64_t>();
}

std::vector<std::filesystem::path> StorageFixture::files() const {
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(directory_)) {
        if (entry.is_regular_file() && entry.path().extension() == ".dat") {
            found.push_back(entry.path());
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

size_t StorageFixture::num_open_segments(const std::string& directory) {
    size_t open = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        std::error_code closed_meanwhile;
        const auto target = std::filesystem::read_symlink(entry.path(), closed_meanwhile);
        if (target.extension() == ".dat" && target.string().starts_with(directory)) {
            ++open;
        }
    }
    return open;
}

}  // namespace thetis
