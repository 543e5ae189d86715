// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace thetis {

class AggregateRegistry;
class ExchangeTransport;
class MemoryTracker;
class ScalarRegistry;
class ScanProvider;
class TableWriterFactory;
class TaskScheduler;

/// What execution needs from the process, built once by the server's main and handed down. Nothing here is owned; all outlive
/// every query. `transport` and `table_writers` may be null where no exchange or load runs (tests).
class ExecServices {
public:
    TaskScheduler* scheduler = nullptr;
    const ScalarRegistry* scalar_functions = nullptr;
    const AggregateRegistry* aggregate_functions = nullptr;
    ScanProvider* scans = nullptr;
    ExchangeTransport* transport = nullptr;
    TableWriterFactory* table_writers = nullptr;
    MemoryTracker* process_memory = nullptr;
    int64_t exchange_buffer_bytes = 8 << 20;  ///< Per receiver, and in flight per sender.
};

}  // namespace thetis
