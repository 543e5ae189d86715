// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

namespace thetis {

/// Bytes that the loads running on this back end have sent and receivers have not taken yet, all
/// loads together. Past the limit each load may only have one batch on its way: it goes on, slowly.
/// Thread-safe.
class InFlightBytes {
public:
    explicit InFlightBytes(int64_t limit_bytes) : limit_bytes_(limit_bytes) {}

    void add(int64_t bytes) { bytes_.fetch_add(bytes, std::memory_order_relaxed); }

    bool is_spent() const { return bytes() >= limit_bytes_; }

    int64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

private:
    const int64_t limit_bytes_;
    std::atomic<int64_t> bytes_{0};  // Steering only: relaxed.
};

}  // namespace thetis
