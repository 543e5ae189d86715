// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "base/status.h"
#include "column/batch.h"
#include "storage/tablet/tablet_reader.h"

namespace thetis {

class StorageEngine;

/// Reads one morsel of a tablet. For one thread at a time.
class MorselReader {
public:
    virtual ~MorselReader() = default;
    /// The next batch with at least one selected row; false at the end.
    virtual Result<bool> next(Batch& batch) = 0;
    virtual ScanStatistics statistics() const = 0;
};

/// One tablet at one version, cut into morsels that any thread may read.
class TabletMorsels {
public:
    virtual ~TabletMorsels() = default;
    virtual size_t num_morsels() const = 0;
    virtual Result<std::unique_ptr<MorselReader>> read(size_t morsel) const = 0;
    /// Without predicates; absent when only reading tells.
    virtual std::optional<int64_t> num_rows() const = 0;

    /// What pruning at open did.
    virtual ScanStatistics statistics() const { return {}; }
};

/// Where scans find tablets. Thread-safe.
class ScanProvider {
public:
    virtual ~ScanProvider() = default;
    virtual Result<std::shared_ptr<const TabletMorsels>> open(
        int64_t tablet_id, int64_t version, ReadOptions options
    ) = 0;
};

/// Scans tablets of the storage engine, which outlives this object.
class StorageScanProvider : public ScanProvider {
public:
    explicit StorageScanProvider(StorageEngine& engine) : engine_(engine) {}

    Result<std::shared_ptr<const TabletMorsels>> open(
        int64_t tablet_id, int64_t version, ReadOptions options
    ) override;

private:
    StorageEngine& engine_;
};

}  // namespace thetis
