// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "io/cache/page_cache.h"
#include "io/codec/codec.h"
#include "io/fs/file_system.h"

namespace thetis {
namespace {

std::span<const uint8_t> bytes_of(std::string_view text) {
    return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

class FileSystemTest : public testing::Test {
protected:
    FileSystemTest() {
        std::string pattern = (std::filesystem::temp_directory_path() / "io_test_XXXXXX").string();
        directory_ = ::mkdtemp(pattern.data());
    }

    ~FileSystemTest() override { std::filesystem::remove_all(directory_); }

    const std::shared_ptr<const FileSystem> fs_ = local_file_system();
    std::string directory_;
};

TEST_F(FileSystemTest, WritesAndReadsBack) {
    const std::string path = directory_ + "/file";
    auto file = fs_->create(path).take();
    std::string expected;
    for (int i = 0; i < 1000; ++i) {
        const std::string part(static_cast<size_t>(i) * 3, static_cast<char>('a' + i % 26));
        ASSERT_TRUE(file->append(bytes_of(part)).ok());
        expected += part;
    }
    EXPECT_EQ(file->size(), expected.size());
    ASSERT_TRUE(file->sync().ok());
    ASSERT_TRUE(file->close().ok());
    EXPECT_EQ(read_file(*fs_, path).take(), expected);
    std::string part(10, '\0');
    ASSERT_TRUE(
        fs_->open(path).take()->read(5, {reinterpret_cast<uint8_t*>(part.data()), part.size()}).ok()
    );
    EXPECT_EQ(part, expected.substr(5, 10));
}

TEST_F(FileSystemTest, ErrorsNameThePathAndTheReason) {
    EXPECT_EQ(fs_->open(directory_ + "/none").status().code(), ErrorCode::kNotFound);
    EXPECT_EQ(fs_->open(directory_).status().code(), ErrorCode::kIoError);
    const Status status = fs_->create(directory_ + "/no/such/directory").status();
    EXPECT_EQ(status.code(), ErrorCode::kNotFound);
    EXPECT_THAT(status.message(), testing::HasSubstr("no/such/directory"));
    ASSERT_TRUE(write_file_atomically(*fs_, directory_ + "/short", "abc").ok());
    uint8_t four[4];
    EXPECT_EQ(
        fs_->open(directory_ + "/short").take()->read(0, four).code(), ErrorCode::kCorruption
    );
    EXPECT_EQ(
        read_file(*fs_, directory_ + "/short", 2).status().code(), ErrorCode::kInvalidArgument
    );
}

TEST_F(FileSystemTest, AFullDiskIsToldApart) {
    auto file = fs_->create("/dev/full");
    ASSERT_TRUE(file.ok());
    ASSERT_TRUE((*file)->append(bytes_of("x")).ok());  // Still in memory.
    EXPECT_EQ((*file)->close().code(), ErrorCode::kDiskFull);
}

TEST_F(FileSystemTest, DirectoriesAreListedRenamedAndRemoved) {
    ASSERT_TRUE(fs_->create_directories(directory_ + "/a/b").ok());
    ASSERT_TRUE(write_file_atomically(*fs_, directory_ + "/a/z", "1").ok());
    ASSERT_TRUE(write_file_atomically(*fs_, directory_ + "/a/z", "2").ok());
    EXPECT_EQ(fs_->list(directory_ + "/a").take(), (std::vector<std::string>{"b", "z"}));
    EXPECT_EQ(read_file(*fs_, directory_ + "/a/z").take(), "2");
    ASSERT_TRUE(fs_->rename(directory_ + "/a", directory_ + "/c").ok());
    EXPECT_FALSE(fs_->exists(directory_ + "/a"));
    ASSERT_TRUE(fs_->remove(directory_ + "/c/z").ok());
    ASSERT_TRUE(fs_->remove(directory_ + "/c/z").ok());
    ASSERT_TRUE(fs_->remove_all(directory_ + "/c").ok());
    EXPECT_EQ(fs_->list(directory_).take(), std::vector<std::string>());
    EXPECT_GT(fs_->space(directory_).take().total_bytes, 0);
}

TEST(Codec, EveryCodecGivesBackWhatItTook) {
    std::mt19937 random(1);
    for (const Compression compression :
         {Compression::kNone, Compression::kLz4, Compression::kZstd, Compression::kZlib}) {
        for (const size_t size : {size_t{0}, size_t{1}, size_t{1000}, size_t{300'000}}) {
            std::vector<uint8_t> input(size);
            for (uint8_t& byte : input) {
                byte = static_cast<uint8_t>(random() % 5);
            }
            std::vector<uint8_t> packed;
            ASSERT_TRUE(compress(compression, input, packed).ok());
            std::vector<uint8_t> output(size);
            ASSERT_TRUE(decompress(compression, packed, output).ok());
            EXPECT_EQ(output, input);
        }
    }
}

TEST(Codec, DamagedInputIsAnErrorNotACrash) {
    std::vector<uint8_t> input(5000);
    std::mt19937 random(2);
    for (uint8_t& byte : input) {
        byte = static_cast<uint8_t>(random() % 9);
    }
    for (const Compression compression :
         {Compression::kLz4, Compression::kZstd, Compression::kZlib}) {
        std::vector<uint8_t> packed;
        ASSERT_TRUE(compress(compression, input, packed).ok());
        std::vector<uint8_t> output(input.size());
        EXPECT_EQ(
            decompress(compression, std::span(packed).first(packed.size() / 2), output).code(),
            ErrorCode::kCorruption
        );
        EXPECT_EQ(
            decompress(compression, packed, std::span(output).first(100)).code(),
            ErrorCode::kCorruption
        );
        for (int round = 0; round < 2000; ++round) {
            std::vector<uint8_t> damaged(packed);
            damaged[random() % damaged.size()] ^= static_cast<uint8_t>(1 + random() % 255);
            const Status status = decompress(compression, damaged, output);
            EXPECT_TRUE(status.ok() || status.code() == ErrorCode::kCorruption);
        }
    }
    EXPECT_EQ(parse_compression("zstd").take(), Compression::kZstd);
    EXPECT_EQ(parse_compression("brotli").status().code(), ErrorCode::kInvalidArgument);
}

class TestPage final : public CachedPage {
public:
    explicit TestPage(size_t size_bytes) : size_bytes_(size_bytes) {}

    size_t memory_bytes() const override { return size_bytes_; }

private:
    const size_t size_bytes_;
};

TEST(PageCacheTest, KeepsToItsSize) {
    PageCache cache(100'000, nullptr, 1);
    for (uint64_t i = 0; i < 1000; ++i) {
        cache.insert({1, i}, std::make_shared<TestPage>(1000));
        EXPECT_LE(cache.counts().bytes, 100'000);
    }
    EXPECT_NE(cache.find({1, 999}), nullptr);
    EXPECT_EQ(cache.find({1, 0}), nullptr);
    EXPECT_EQ(cache.find({2, 999}), nullptr);
    cache.insert({3, 0}, std::make_shared<TestPage>(90'000));  // More than a quarter: not worth it.
    EXPECT_EQ(cache.find({3, 0}), nullptr);
    cache.clear();
    EXPECT_EQ(cache.counts().bytes, 0);
    EXPECT_EQ(cache.find({1, 999}), nullptr);
}

TEST(PageCacheTest, OneBigScanDoesNotPushOutPagesInUse) {
    PageCache cache(100'000, nullptr, 1);
    for (uint64_t i = 0; i < 50; ++i) {
        cache.insert({1, i}, std::make_shared<TestPage>(1000));
        cache.find({1, i});
    }
    for (uint64_t i = 0; i < 10'000; ++i) {
        cache.insert({2, i}, std::make_shared<TestPage>(1000));
    }
    for (uint64_t i = 0; i < 50; ++i) {
        EXPECT_NE(cache.find({1, i}), nullptr) << i;
    }
}

TEST(PageCacheTest, APageOutlivesItsEviction) {
    PageCache cache(10'000, nullptr, 1);
    cache.insert({1, 1}, std::make_shared<TestPage>(1000));
    const CachedPagePtr held = cache.find({1, 1});
    cache.clear();
    EXPECT_EQ(held->memory_bytes(), 1000U);
}

}  // namespace
}  // namespace thetis
