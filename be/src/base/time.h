// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace thetis {

/// Where time comes from, so that tests can move it. Thread-safe.
class Clock {
public:
    virtual ~Clock() = default;
    /// Microseconds since 1970-01-01 00:00:00 UTC.
    virtual int64_t unix_micros() const = 0;
    /// Never goes back; for durations and deadlines.
    virtual std::chrono::steady_clock::time_point steady_now() const = 0;

    int64_t unix_millis() const { return unix_micros() / 1000; }

    int64_t unix_seconds() const { return unix_micros() / 1000000; }
};

/// The machine's clock.
class SystemClock final : public Clock {
public:
    int64_t unix_micros() const override;
    std::chrono::steady_clock::time_point steady_now() const override;
};

/// Stands still until told to move; for tests.
class ManualClock final : public Clock {
public:
    explicit ManualClock(int64_t unix_micros) : micros_(unix_micros) {}

    int64_t unix_micros() const override { return micros_.load(); }

    std::chrono::steady_clock::time_point steady_now() const override {
        return std::chrono::steady_clock::time_point(std::chrono::microseconds(micros_.load()));
    }

    void advance(std::chrono::microseconds by) { micros_ += by.count(); }

private:
    std::atomic<int64_t> micros_;
};

/// Measures elapsed time from its making.
class Stopwatch {
public:
    Stopwatch() : start_(std::chrono::steady_clock::now()) {}

    int64_t elapsed_micros() const { return elapsed_nanos() / 1000; }

    int64_t elapsed_millis() const { return elapsed_nanos() / 1000000; }

    int64_t elapsed_nanos() const {
        return std::chrono::duration_cast<std::chrono::nanoseconds>(
                   std::chrono::steady_clock::now() - start_
        )
            .count();
    }

    void restart() { start_ = std::chrono::steady_clock::now(); }

private:
    std::chrono::steady_clock::time_point start_;
};

}  // namespace thetis
