// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/error_code.gen.h"

namespace thetis {

/// Outcome of an operation: one null pointer when ok, else code and message. Cheap to return, must
/// be looked at.
class [[nodiscard]] Status {
public:
    Status() = default;

    Status(ErrorCode code, std::string message)
        : state_(
              code == ErrorCode::kOk
                  ? nullptr
                  : std::make_shared<const State>(State{code, std::move(message)})
          ) {}

    static Status ok_status() { return {}; }

    /// `Status::error(ErrorCode::kNotFound, "tablet {} is not here", id)`
    template <typename... Args>
    static Status error(ErrorCode code, fmt::format_string<Args...> format, Args&&... args) {
        return {code, fmt::format(format, std::forward<Args>(args)...)};
    }

    bool ok() const { return state_ == nullptr; }

    ErrorCode code() const { return ok() ? ErrorCode::kOk : state_->code; }

    std::string_view message() const {
        return ok() ? std::string_view("OK") : std::string_view(state_->message);
    }

    /// `[NAME]message`, as load replies and logs show it.
    std::string to_string() const {
        return ok() ? std::string("OK")
                    : fmt::format("[{}]{}", error_name(state_->code), state_->message);
    }

    /// The same error with what was being done put before it; ok stays ok.
    template <typename... Args>
    Status with_context(fmt::format_string<Args...> format, Args&&... args) const {
        if (ok()) {
            return *this;
        }
        return {
            state_->code,
            fmt::format("{}: {}", fmt::format(format, std::forward<Args>(args)...), state_->message)
        };
    }

private:
    struct State {
        ErrorCode code;
        std::string message;
    };

    std::shared_ptr<const State> state_;
};

/// A value, or the status that says why there is none.
template <typename T>
class [[nodiscard]] Result {
public:
    // Implicit on purpose: functions return either a value or a status.
    Result(T value) : value_(std::move(value)) {}  // NOLINT(google-explicit-constructor)

    Result(Status status) : status_(std::move(status)) {}  // NOLINT(google-explicit-constructor)

    bool ok() const { return value_.has_value(); }

    const Status& status() const { return status_; }

    /// Only when ok().
    T& value() { return *value_; }

    const T& value() const { return *value_; }

    T& operator*() { return *value_; }

    const T& operator*() const { return *value_; }

    T* operator->() { return &*value_; }

    const T* operator->() const { return &*value_; }

    /// Moves the value out; only when ok().
    T take() { return std::move(*value_); }

private:
    std::optional<T> value_;
    Status status_;
};

}  // namespace thetis

#define THETIS_CONCAT_INNER(a, b) a##b
#define THETIS_CONCAT(a, b) THETIS_CONCAT_INNER(a, b)

/// Returns from the enclosing function when the expression's status is not ok.
#define RETURN_IF_ERROR(expression)                     \
    do {                                                \
        ::thetis::Status status_of_call = (expression); \
        if (!status_of_call.ok()) [[unlikely]] {        \
            return status_of_call;                      \
        }                                               \
    } while (false)

/// `ASSIGN_OR_RETURN(auto file, fs.open(path));`
#define ASSIGN_OR_RETURN(target, expression) \
    ASSIGN_OR_RETURN_WITH(THETIS_CONCAT(result_of_call_, __LINE__), target, expression)
#define ASSIGN_OR_RETURN_WITH(result, target, expression) \
    auto result = (expression);                           \
    if (!result.ok()) [[unlikely]] {                      \
        return result.status();                           \
    }                                                     \
    target = result.take()
