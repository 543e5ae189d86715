// SPDX-License-Identifier: Apache-2.0
#include "load/tablet_slot.h"

namespace thetis {

void TabletSlot::submit(Work work) {
    {
        MutexLock lock(mutex_);
        work_.push_back(std::move(work));
        if (running_) {
            return;
        }
        running_ = true;
    }
    if (!pool_.submit([self = shared_from_this()] { self->drain(); }).ok()) {
        drain();
    }
}

void TabletSlot::drain() {
    for (;;) {
        Work work;
        {
            MutexLock lock(mutex_);
            if (work_.empty()) {
                running_ = false;
                return;
            }
            work = std::move(work_.front());
            work_.pop_front();
        }
        work(*this);
    }
}

void TabletSlot::append(const Batch& batch, std::span<const uint16_t> rows) {
    if (!failure_.ok()) {
        return;
    }
    std::shared_ptr<TabletWriter> writer;
    {
        MutexLock lock(mutex_);
        writer = writer_;
    }
    if (writer == nullptr) {
        auto opened = engine_.open_writer(tablet_id_, options_);
        if (!opened.ok()) {
            failure_ = opened.status();
            return;
        }
        writer = opened.take();
        MutexLock lock(mutex_);
        writer_ = writer;
    }
    if (!rows.empty()) {
        failure_ = writer->append(batch, rows);
    }
}

Status TabletSlot::commit() {
    std::shared_ptr<TabletWriter> writer;
    {
        MutexLock lock(mutex_);
        writer = std::move(writer_);
        writer_ = nullptr;
    }
    if (failure_.ok() && writer != nullptr) {
        failure_ = writer->close();
        num_missing_keys_ = writer->num_missing_keys();
    }
    if (!failure_.ok() && writer != nullptr) {
        writer->cancel();
    }
    return failure_;
}

void TabletSlot::discard(const Status& reason) {
    if (failure_.ok()) {
        failure_ = reason;
    }
    std::shared_ptr<TabletWriter> writer;
    {
        MutexLock lock(mutex_);
        writer = std::move(writer_);
        writer_ = nullptr;
    }
    if (writer != nullptr) {
        writer->cancel();
    }
}

void TabletSlot::interrupt() {
    std::shared_ptr<TabletWriter> writer;
    {
        MutexLock lock(mutex_);
        writer = writer_;
    }
    if (writer != nullptr) {
        writer->cancel();
    }
}

}  // namespace thetis
