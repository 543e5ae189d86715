// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/status.h"

namespace thetis {

/// Where the process finds and puts its files.
struct BackendPaths {
    std::string home;      ///< The installation.
    std::string conf_dir;  ///< be.conf, be_custom.conf.
};

/// The whole back end: builds the object graph, serves, stops in the reverse order. One per process
/// (tests may make several).
class BackendProcess {
public:
    explicit BackendProcess(BackendPaths paths);
    ~BackendProcess();
    BackendProcess(const BackendProcess&) = delete;
    BackendProcess& operator=(const BackendProcess&) = delete;

    /// Reads the configuration, opens logs and data, listens on all ports. On error nothing keeps
    /// running.
    Status start();
    /// Stops accepting, ends queries and loads, closes the data. Idempotent.
    void stop();

private:
    struct Graph;
    std::unique_ptr<Graph> graph_;
};

}  // namespace thetis
