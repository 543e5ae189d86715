// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/status.h"
#include "column/batch.h"
#include "exec/pipeline/dependency.h"

namespace thetis {

/// What asking for a batch gave.
struct Poll {
    enum class Kind : uint8_t {
        kBatch,     ///< A batch was put out (it may be empty: "still working").
        kBlocked,   ///< Nothing now; `dependency` becomes ready when asking again makes sense.
        kFinished,  ///< Never anything again.
    };

    Kind kind;
    DependencyPtr dependency;

    static Poll batch() { return {Kind::kBatch, nullptr}; }

    static Poll blocked(DependencyPtr on) { return {Kind::kBlocked, std::move(on)}; }

    static Poll finished() { return {Kind::kFinished, nullptr}; }
};

/// First operator of a pipeline: makes batches. One object per task, used by one worker at a time;
/// tasks of a pipeline share what they must through state handed to their constructors.
class Source {
public:
    virtual ~Source() = default;
    /// Never blocks the thread; a call should take well under a slice.
    virtual Result<Poll> next(Batch& batch) = 0;

    /// Nothing more is wanted or everything was delivered; also called when the query is cancelled.
    virtual void close() {}
};

/// Middle operator: batches in, batches out. After accept() the task calls next() until it is not
/// kBatch; kFinished from next() before the input ended means "enough": the task ends early.
class Transform {
public:
    virtual ~Transform() = default;
    /// Only when the last next() gave kBlocked without dependency ("needs input").
    virtual Status accept(Batch batch) = 0;
    /// No more input; next() then drains what is held.
    virtual Status finish_input() = 0;
    /// kBlocked with a null dependency asks for input.
    virtual Result<Poll> next(Batch& batch) = 0;

    virtual void close() {}
};

/// A transform that makes exactly one batch of each batch.
class MapTransform : public Transform {
public:
    Status accept(Batch batch) final;
    Status finish_input() final;
    Result<Poll> next(Batch& batch) final;

protected:
    virtual Status apply(Batch& batch) = 0;

private:
    Batch held_;
    bool has_held_ = false;
    bool input_finished_ = false;
};

/// Last operator of a pipeline: takes batches.
class Sink {
public:
    virtual ~Sink() = default;

    /// Null when accept() may be called, else what to wait for.
    virtual DependencyPtr blocked() { return nullptr; }

    /// False: nothing more is wanted (a LIMIT above is satisfied); the task ends early.
    virtual bool wants_more() { return true; }

    virtual Status accept(Batch batch) = 0;
    /// The task's input ended. Asked again (after waiting) while it returns kBlocked; kFinished
    /// when all is handed over.
    virtual Result<Poll> finish() = 0;

    /// Releases everything; also called when the query failed. Idempotent.
    virtual void close() {}
};

}  // namespace thetis
