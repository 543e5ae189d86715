// SPDX-License-Identifier: Apache-2.0
#include "exec/scan/scan_provider.h"
#include "storage/engine/storage_engine.h"

namespace thetis {

namespace {

class SplitMorselReader final : public MorselReader {
public:
    explicit SplitMorselReader(std::unique_ptr<SplitReader> reader) : reader_(std::move(reader)) {}

    Result<bool> next(Batch& batch) override { return reader_->next(batch); }

    ScanStatistics statistics() const override { return reader_->statistics(); }

private:
    std::unique_ptr<SplitReader> reader_;
};

class StorageMorsels final : public TabletMorsels {
public:
    explicit StorageMorsels(std::shared_ptr<const TabletReader> reader)
        : reader_(std::move(reader)) {}

    size_t num_morsels() const override { return reader_->splits().size(); }

    std::optional<int64_t> num_rows() const override { return reader_->num_rows(); }

    ScanStatistics statistics() const override { return reader_->statistics(); }

    Result<std::unique_ptr<MorselReader>> read(size_t morsel) const override {
        ASSIGN_OR_RETURN(auto split, reader_->read(reader_->splits()[morsel]));
        return std::unique_ptr<MorselReader>(std::make_unique<SplitMorselReader>(std::move(split)));
    }

private:
    std::shared_ptr<const TabletReader> reader_;
};

}  // namespace

Result<std::shared_ptr<const TabletMorsels>> StorageScanProvider::open(
    int64_t tablet_id, int64_t version, ReadOptions options
) {
    ASSIGN_OR_RETURN(auto reader, engine_.open_reader(tablet_id, version, std::move(options)));
    return std::shared_ptr<const TabletMorsels>(std::make_shared<StorageMorsels>(std::move(reader))
    );
}

}  // namespace thetis
