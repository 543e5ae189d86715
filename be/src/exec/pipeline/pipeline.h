// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "exec/pipeline/operator.h"
#include "exec/pipeline/profile.h"

namespace thetis {

/// How to make one operator of a task: tasks are numbered from 0.
template <typename Operator>
struct OperatorFactory {
    std::function<std::unique_ptr<Operator>(int task)> make;
    OperatorProfile* profile = nullptr;
};

/// A chain source -> transforms -> sink that `num_tasks` tasks run side by side.
struct Pipeline {
    OperatorFactory<Source> source;
    std::vector<OperatorFactory<Transform>> transforms;
    OperatorFactory<Sink> sink;
    int num_tasks = 1;
    /// The tasks begin when all of these are ready (the builds of joins on the way).
    std::vector<DependencyPtr> start_after;
};

}  // namespace thetis
