// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "column/batch.h"
#include "storage/rowset/rowset_meta.h"
#include "storage/tablet_schema.h"

namespace thetis {

class Tablet;
struct WriteServices;

/// How one load writes one tablet.
struct WriterOptions {
    int64_t txn_id = 0;
    std::string load_id{};
    /// The load's own schema, of any version of the table's; null: the tablet's.
    TabletSchemaPtr schema{};
    /// What the batches hold, in order. Others get their default, or in a partial update what the
    /// row with the same key has. Empty: all of the schema but the version and row-store columns,
    /// which storage makes and which are never sent.
    std::vector<int32_t> column_unique_ids{};
    /// Merge-on-write: absent columns keep what the row with the same key has.
    bool partial_update = false;
    /// Partial update: a row whose key is not there, nor when the load gets its version, is left
    /// out instead of making a new one.
    bool existing_only = false;
    /// Partial update: what new rows have in absent columns, instead of the schema's default.
    std::vector<NewValue> new_values{};
    int64_t write_buffer_bytes =
        0;  ///< A memtable is flushed at this size; 0: the engine's write_buffer_size.
    std::chrono::steady_clock::time_point deadline =
        std::chrono::steady_clock::time_point::max();  ///< Bounds every wait.
};

/// Takes the rows of one load for one tablet and leaves a COMMITTED rowset under its transaction
/// id. Rows go to a memtable; full ones are flushed to segments by a shared pool while the next
/// fills. Thread-safe: several senders may append. Made by StorageEngine::open_writer; must not
/// outlive the engine. Destroying an unclosed writer cancels it.
class TabletWriter {
public:
    virtual ~TabletWriter() = default;

    /// Appends rows `rows` (positions in the batch; its selection is not looked at). Columns are
    /// those of WriterOptions::column_unique_ids, of the schema's physical types. Blocks only while
    /// too many flushes of this tablet run or the memory of all loads is spent. Fails with the
    /// first error of any earlier flush.
    virtual Status append(const Batch& batch, std::span<const uint16_t> rows) = 0;

    /// Appends the batch's selected rows.
    virtual Status append(const Batch& batch) = 0;

    /// Flushes what is left, waits for all segments, makes them durable and saves the rowset as
    /// COMMITTED. The rows are seen once the transaction is published. Calling it again gives the
    /// same answer.
    virtual Status close() = 0;

    /// Drops everything this writer wrote; later calls fail with `cancelled`. No effect after
    /// close() succeeded.
    virtual void cancel() = 0;

    virtual int64_t num_rows() const = 0;
    /// Rows of WriterOptions::existing_only that were left out; all of them after close().
    virtual int64_t num_missing_keys() const = 0;
    virtual int64_t tablet_id() const = 0;
};

}  // namespace thetis
