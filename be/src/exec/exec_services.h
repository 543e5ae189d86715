// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

namespace thetis {

class ExchangeTransport;
struct FunctionRegistries;
class MemoryTracker;
class ScanProvider;
class TableWriterFactory;
class TaskScheduler;

/// What execution needs from the process, built once by the server's main and handed down. Nothing
/// here is owned; all outlive every query. `transport` and `table_writers` may be null where no
/// exchange or load runs (tests).
class ExecServices {
public:
    TaskScheduler* scheduler = nullptr;
    const FunctionRegistries* functions = nullptr;
    ScanProvider* scans = nullptr;
    ExchangeTransport* transport = nullptr;
    TableWriterFactory* table_writers = nullptr;
    std::shared_ptr<MemoryTracker> process_memory;
    int64_t exchange_buffer_bytes = 8 << 20;  ///< Per receiver, and in flight per sender.
};

}  // namespace thetis
