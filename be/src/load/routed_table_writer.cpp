// SPDX-License-Identifier: Apache-2.0
#include "load/routed_table_writer.h"

#include "base/logging.h"
#include "exec/scan/row_source.h"

namespace thetis {

namespace {

size_t majority_of(size_t num_replicas) {
    return num_replicas / 2 + 1;
}

}  // namespace

RoutedTableWriter::RoutedTableWriter(
    RoutedWriterOptions options,
    std::unique_ptr<PartitionRouter> router,
    Backends backends,
    std::shared_ptr<RowErrors> errors
)
    : options_(std::move(options)),
      router_(std::move(router)),
      backends_(std::move(backends)),
      errors_(std::move(errors)),
      writable_(std::make_shared<Dependency>(true)) {}

DependencyPtr RoutedTableWriter::blocked() {
    MutexLock lock(mutex_);
    if (may_send() || !failure_.ok()) {
        return nullptr;
    }
    writable_->reset();
    return writable_;
}

// A writer with nothing on its way always may: it is woken by its own bytes only.
bool RoutedTableWriter::may_send() const {
    const bool is_crowded = options_.in_flight != nullptr && options_.in_flight->is_spent();
    return bytes_in_flight_ == 0 ||
           (bytes_in_flight_ < options_.max_bytes_in_flight && !is_crowded);
}

Status RoutedTableWriter::write(const Batch& batch) {
    {
        MutexLock lock(mutex_);
        if (!failure_.ok()) {
            return failure_;
        }
        if (finished_) {
            return Status::error(ErrorCode::kInternal, "rows after the end of the load");
        }
    }
    Batch taken = batch;
    std::vector<Batch> further;
    RETURN_IF_ERROR(convert(taken, further));
    RowsByTablet rows;
    RETURN_IF_ERROR(split(taken, rows));
    if (!rows.empty()) {
        // One batch is sent at a time, so that the order is the same for every replica.
        MutexLock order(send_mutex_);
        send(0, taken, rows);
        for (size_t i = 0; i < further.size(); ++i) {
            send(static_cast<uint32_t>(i + 1), further[i], rows);
        }
    }
    MutexLock lock(mutex_);
    return failure_;
}

// A row that one index cannot hold goes to none.
Status RoutedTableWriter::convert(Batch& batch, std::vector<Batch>& further) {
    EvalContext eval = options_.eval;
    Status failure;
    for (const FurtherIndex& index : options_.further_indexes) {
        ASSIGN_OR_RETURN(
            auto converted,
            index.convert(
                batch,
                eval,
                [&](uint32_t row, const std::string& reason) {
                    Status refused = reject_row(batch, row, reason);
                    failure = failure.ok() ? refused : failure;
                }
            )
        );
        RETURN_IF_ERROR(failure);
        batch.selection = converted.selection;
        further.push_back(std::move(converted));
    }
    return {};
}

Status RoutedTableWriter::split(const Batch& batch, RowsByTablet& rows) {
    std::vector<uint32_t> tablet_of_row;
    router_->route(batch, turn_.fetch_add(1, std::memory_order_relaxed), tablet_of_row);
    uint32_t num_selected = batch.num_selected();
    uint32_t previous = PartitionRouter::kNoTablet;
    std::vector<uint16_t>* target = nullptr;
    for (uint32_t i = 0; i < num_selected; ++i) {
        uint32_t row = batch.row_at(i);
        uint32_t tablet = tablet_of_row[row];
        if (tablet == PartitionRouter::kNoTablet) [[unlikely]] {
            RETURN_IF_ERROR(reject_row(
                batch,
                row,
                fmt::format(
                    "no partition for this tuple. partition values: ({})",
                    router_->describe_row(batch, row)
                )
            ));
            continue;
        }
        if (target == nullptr || tablet != previous) {
            target = &rows[tablet];
            if (target->empty()) {
                target->reserve(num_selected / router_->tablets().size() + 16);
            }
            previous = tablet;
        }
        target->push_back(static_cast<uint16_t>(row));
    }
    return {};
}

Status RoutedTableWriter::reject_row(const Batch& batch, uint32_t row, const std::string& reason) {
    if (options_.fail_without_partition) {
        Status status(ErrorCode::kNoPartitionForValue, reason);
        MutexLock lock(mutex_);
        if (failure_.ok()) {
            failure_ = status;
        }
        return status;
    }
    if (errors_ != nullptr) {
        errors_->reject(0, reason, router_->describe_row(batch, row));
    }
    MutexLock lock(mutex_);
    ++counters_.filtered_rows;
    if (counters_.first_error.empty()) {
        counters_.first_error = reason;
    }
    return {};
}

const std::vector<RoutedTablet>& RoutedTableWriter::tablets_of(uint32_t index) const {
    return index == 0 ? router_->tablets() : options_.further_indexes[index - 1].tablets();
}

uint32_t RoutedTableWriter::num_indexes() const {
    return static_cast<uint32_t>(options_.further_indexes.size()) + 1;
}

void RoutedTableWriter::send(uint32_t index, const Batch& batch, const RowsByTablet& rows) {
    std::map<int64_t, std::vector<TabletRows>> by_backend;
    int64_t num_rows = 0;
    for (const auto& [tablet, positions] : rows) {
        const RoutedTablet& routed = tablets_of(index)[tablet];
        num_rows += static_cast<int64_t>(positions.size());
        for (int64_t backend_id : routed.backend_ids) {
            by_backend[backend_id].push_back({routed.tablet_id, routed.partition_id, positions});
        }
    }
    // The positions are those of the whole batch, so the selection must not travel.
    Batch whole = batch;
    whole.selection = nullptr;
    auto bytes = static_cast<int64_t>(whole.memory_bytes());
    if (index == 0) {
        MutexLock lock(mutex_);
        counters_.loaded_rows += num_rows;
        counters_.loaded_bytes += bytes;
        for (const auto& entry : rows) {
            touched_.insert(entry.first);
        }
    }
    OutgoingBatch outgoing(std::move(whole));
    for (auto& [backend_id, tablets] : by_backend) {
        auto found = backends_.find(backend_id);
        if (found == backends_.end()) {
            backend_lost(
                backend_id,
                Status::error(ErrorCode::kInternal, "back end {} is not in the plan", backend_id)
            );
            continue;
        }
        size_t sent_rows = 0;
        for (const auto& tablet : tablets) {
            sent_rows += tablet.rows.size();
        }
        if (by_backend.size() > 1 && sent_rows * 4 < static_cast<size_t>(batch.num_rows) * 3) {
            // This back end gets only part of the rows: cut them out instead of sending all.
            std::vector<uint32_t> positions;
            positions.reserve(sent_rows);
            for (auto& tablet : tablets) {
                for (uint16_t& row : tablet.rows) {
                    positions.push_back(row);
                    row = static_cast<uint16_t>(positions.size() - 1);
                }
            }
            Batch part;
            part.num_rows = static_cast<uint32_t>(sent_rows);
            for (const auto& column : outgoing.batch()->columns) {
                part.columns.push_back(gather(column, positions.data(), part.num_rows));
            }
            OutgoingBatch outgoing_part(std::move(part));
            send_to(
                *found->second,
                backend_id,
                index,
                outgoing_part,
                std::move(tablets),
                bytes * static_cast<int64_t>(sent_rows) / std::max<int64_t>(1, batch.num_rows)
            );
        } else {
            send_to(*found->second, backend_id, index, outgoing, std::move(tablets), bytes);
        }
    }
}

void RoutedTableWriter::send_to(
    BackendWriter& backend,
    int64_t backend_id,
    uint32_t index,
    OutgoingBatch& batch,
    std::vector<TabletRows> tablets,
    int64_t bytes
) {
    {
        MutexLock lock(mutex_);
        if (lost_backends_.contains(backend_id)) {
            return;
        }
        bytes_in_flight_ += bytes;
        if (options_.in_flight != nullptr) {
            options_.in_flight->add(bytes);
        }
    }
    backend.write(
        index,
        batch,
        std::move(tablets),
        [self = shared_from_this(), backend_id, bytes](const Status& status) {
            if (!status.ok()) {
                self->backend_lost(backend_id, status);
            }
            MutexLock lock(self->mutex_);
            self->bytes_in_flight_ -= bytes;
            if (self->options_.in_flight != nullptr) {
                self->options_.in_flight->add(-bytes);
            }
            if (self->may_send()) {
                self->writable_->set_ready();
            }
        }
    );
}

void RoutedTableWriter::backend_lost(int64_t backend_id, const Status& status) {
    MutexLock lock(mutex_);
    if (!lost_backends_.emplace(backend_id, status).second) {
        return;
    }
    LOG_WARN("load lost a back end backend_id={} reason={}", backend_id, status.to_string());
    for (uint32_t index = 0; index < num_indexes(); ++index) {
        for (uint32_t touched : touched_) {
            const RoutedTablet& tablet = tablets_of(index)[touched];
            size_t alive = 0;
            for (int64_t id : tablet.backend_ids) {
                alive += lost_backends_.contains(id) ? 0 : 1;
            }
            if (alive < majority_of(tablet.backend_ids.size()) && failure_.ok()) {
                failure_ = status.with_context(
                    "tablet {} lost too many replicas; back end {}", tablet.tablet_id, backend_id
                );
                writable_->set_ready();
            }
        }
    }
}

// A version is published for a whole partition, so all of its tablets take part.
RoutedTableWriter::BackendTablets RoutedTableWriter::touched_tablets() {
    std::set<int64_t> partitions;
    {
        MutexLock lock(mutex_);
        for (uint32_t index : touched_) {
            partitions.insert(router_->tablets()[index].partition_id);
        }
    }
    BackendTablets touched;
    for (uint32_t index = 0; index < num_indexes(); ++index) {
        for (const RoutedTablet& tablet : tablets_of(index)) {
            if (!partitions.contains(tablet.partition_id)) {
                continue;
            }
            for (int64_t backend_id : tablet.backend_ids) {
                auto& lists = touched[backend_id];
                if (lists.empty() || lists.back().index != index) {
                    lists.push_back({index, {}});
                }
                lists.back().tablet_ids.push_back(tablet.tablet_id);
            }
        }
    }
    return touched;
}

void RoutedTableWriter::finish(std::function<void(Result<LoadCounters>)> done) {
    BackendTablets touched = touched_tablets();
    std::vector<std::pair<int64_t, std::shared_ptr<BackendWriter>>> backends;
    {
        MutexLock lock(mutex_);
        finished_ = true;
        done_ = std::move(done);
        for (const auto& [id, writer] : backends_) {
            closing_.insert(id);
            backends.emplace_back(id, writer);
        }
    }
    if (backends.empty()) {
        complete(LoadCounters());
        return;
    }
    for (auto& [id, writer] : backends) {
        writer->close(
            std::move(touched[id]),
            [self = shared_from_this(), backend_id = id](const LoadCloseResult& result) {
                self->backend_closed(backend_id, result);
            }
        );
    }
}

void RoutedTableWriter::backend_closed(int64_t backend_id, const LoadCloseResult& result) {
    if (!result.status.ok()) {
        backend_lost(backend_id, result.status);
    }
    LoadCounters counters;
    Status failure;
    {
        MutexLock lock(mutex_);
        if (result.status.ok()) {
            for (int64_t tablet_id : result.committed) {
                counters_.tablets.push_back({tablet_id, backend_id});
            }
            for (const auto& [tablet_id, status] : result.failed) {
                failed_tablets_.emplace(
                    tablet_id,
                    status.with_context("tablet {} on back end {}", tablet_id, backend_id)
                );
            }
            for (const auto& [tablet_id, num_keys] : result.missing_keys) {
                int64_t& known = missing_keys_[tablet_id];
                known = std::max(known, num_keys);
            }
        }
        closing_.erase(backend_id);
        if (!closing_.empty()) {
            return;
        }
        count_missing_keys();
        counters = counters_;
        failure = failure_;
        if (failure.ok()) {
            failure = judge();
        }
    }
    if (failure.ok()) {
        complete(std::move(counters));
    } else {
        complete(failure);
    }
}

// Only storage knows the keys that are there, so these rows were counted as loaded when they were
// sent.
void RoutedTableWriter::count_missing_keys() {
    for (const auto& [tablet_id, num_keys] : missing_keys_) {
        const std::string reason = fmt::format(
            "the key is not in the table, and the partial update is of existing rows only: "
            "tablet {}",
            tablet_id
        );
        counters_.loaded_rows -= num_keys;
        counters_.filtered_rows += num_keys;
        if (counters_.first_error.empty()) {
            counters_.first_error = reason;
        }
        for (int64_t i = 0; i < num_keys && errors_ != nullptr; ++i) {
            errors_->reject(0, reason, "");
        }
    }
}

// Early judgement, with the reason at hand; the front end judges again from the list.
Status RoutedTableWriter::judge() {
    std::map<int64_t, size_t> replicas;
    for (const auto& commit : counters_.tablets) {
        ++replicas[commit.tablet_id];
    }
    for (uint32_t index = 0; index < num_indexes(); ++index) {
        for (uint32_t touched : touched_) {
            const RoutedTablet& tablet = tablets_of(index)[touched];
            if (replicas[tablet.tablet_id] >= majority_of(tablet.backend_ids.size())) {
                continue;
            }
            auto reason = failed_tablets_.find(tablet.tablet_id);
            return reason != failed_tablets_.end()
                       ? reason->second
                       : Status::error(
                             ErrorCode::kInternal,
                             "tablet {} was written by {} of {} replicas",
                             tablet.tablet_id,
                             replicas[tablet.tablet_id],
                             tablet.backend_ids.size()
                         );
        }
    }
    return {};
}

void RoutedTableWriter::complete(Result<LoadCounters> result) {
    std::function<void(Result<LoadCounters>)> done;
    {
        MutexLock lock(mutex_);
        done = std::move(done_);
        done_ = nullptr;
    }
    if (done) {
        done(std::move(result));
    }
}

void RoutedTableWriter::cancel(const Status& reason) {
    {
        MutexLock lock(mutex_);
        if (failure_.ok()) {
            failure_ = reason.ok() ? Status::error(ErrorCode::kCancelled, "the load was cancelled")
                                   : reason;
        }
        writable_->set_ready();
    }
    for (const auto& [id, writer] : backends_) {
        writer->cancel(reason);
    }
}

}  // namespace thetis
