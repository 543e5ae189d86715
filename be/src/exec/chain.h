// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "exec/pipeline/pipeline.h"
#include "types/data_type.h"

namespace thetis {

/// Pipelines under construction that share everything from here on: one, or one per input of a
/// UNION ALL. Every operator appended goes to all of them, so a union costs nothing at run time.
class Chain {
public:
    static Chain from_source(
        OperatorFactory<Source> source, int num_tasks, std::vector<DataType> types
    ) {
        Chain chain;
        auto pipeline = std::make_unique<Pipeline>();
        pipeline->source = std::move(source);
        pipeline->num_tasks = num_tasks;
        chain.pipelines_.push_back(std::move(pipeline));
        chain.types_ = std::move(types);
        return chain;
    }

    const std::vector<DataType>& types() const { return types_; }

    void set_types(std::vector<DataType> types) { types_ = std::move(types); }

    int num_tasks() const {
        int total = 0;
        for (const auto& pipeline : pipelines_) {
            total += pipeline->num_tasks;
        }
        return total;
    }

    void start_after(const DependencyPtr& dependency) {
        for (auto& pipeline : pipelines_) {
            pipeline->start_after.push_back(dependency);
        }
    }

    void append(const OperatorFactory<Transform>& transform) {
        for (auto& pipeline : pipelines_) {
            pipeline->transforms.push_back(transform);
        }
    }

    /// Ends all pipelines and moves them to `done`.
    void finish(const OperatorFactory<Sink>& sink, std::vector<std::unique_ptr<Pipeline>>& done) {
        for (auto& pipeline : pipelines_) {
            pipeline->sink = sink;
            done.push_back(std::move(pipeline));
        }
        pipelines_.clear();
    }

    /// Takes the pipelines of another chain with the same types.
    void absorb(Chain other) {
        for (auto& pipeline : other.pipelines_) {
            pipelines_.push_back(std::move(pipeline));
        }
    }

private:
    std::vector<std::unique_ptr<Pipeline>> pipelines_;
    std::vector<DataType> types_;
};

}  // namespace thetis
